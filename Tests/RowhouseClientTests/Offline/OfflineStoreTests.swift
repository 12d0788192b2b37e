import Foundation
import RowhouseTesting
import Support
import Testing

@testable import RowhouseClient

/// A phone in a cellar: what it shows and keeps.
@Suite struct OfflineStoreTests {
  private let server: RowhouseTestServer
  private let world: OfflineWorld
  private let list: Rowhouse.List.ID
  private var rowhouse: Rowhouse { server.rowhouse }

  init() async throws {
    server = try makeServer()
    world = try OfflineWorld(server.rowhouse)
    list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    for name in ["Saw", "Lamp", "Rope"] {
      try await server.rowhouse.createItem(ItemDraft(name: name, valueInDollars: 2.5), in: list)
    }
  }

  @Test func `What was kept shows without a network after a kill, as it was`() async throws {
    try await rowhouse.createItem(
      ItemDraft(car: Car(make: "Saab", model: "900", year: 1988, fuelAmount: 12.5)), in: list)
    let box = try await rowhouse.createList(ListDraft(title: "Box", in: list)).resource.id
    var wallet = ItemDraft(name: "Wallet", valueInDollars: 0.01)
    (wallet.tags, wallet.quantity, wallet.serialNumber) = (["a", "b"], 3, "ß")
    try await rowhouse.createItem(wallet, in: box)
    var store: OfflineStore? = try await world.online(keeping: list, box)
    let saw = Item.ID(rawValue: try await store?.id("Saw", in: list).rawValue ?? "")
    let item = try await store?.read(saw)
    let rows = await store?.rows(of: list)
    #expect(rows == (try await rowhouse.wholeList(list).shownRows))
    await store?.stop()
    store = nil
    server.stop()

    let opened = try world.open()
    #expect(await opened.rows(of: list) == rows)
    #expect(await opened.titles(of: box) == ["Wallet"])
    #expect(await opened.list(list)?.rowCount == 5)
    #expect(await opened.item(saw) == item)
    #expect(await opened.rows(of: .init(rawValue: UUID().uuidString)) == nil)
    await opened.start()
    try await eventually { await opened.isOffline }
  }

  /// As if it was in the trash when it was read, and is restored by now.
  @Test func `A list that is said to be gone is read again while a kept list has its row`()
    async throws
  {
    let box = try await rowhouse.createList(ListDraft(title: "Box", in: list)).resource.id
    try await rowhouse.createItem(ItemDraft(name: "Wallet"), in: box)
    try await server.fail(
      FaultRule(.refuse, method: "GET", path: "/v1/lists/\(box.rawValue)", nth: 1, status: 404))
    let store = try await world.online(keeping: list)
    try await store.keepAll()
    #expect(await store.titles(of: box) == ["Wallet"])
  }

  @Test func `A list that was in the trash at the base's revision is hidden`() async throws {
    let box = try await rowhouse.createList(ListDraft(title: "Box", in: list)).resource.id
    let read = try await rowhouse.wholeList(box)
    let above = RowKey(list)
    var tree = OfflineTree()
    #expect(!tree.isHidden(read, beside: [:]))
    tree.take(try await rowhouse.wholeList(list))
    #expect(!tree.isHidden(read, beside: [:]))
    try await rowhouse.delete(Row.ID(rawValue: box.rawValue))
    let later = try await rowhouse.wholeList(list)
    tree.take(later)
    #expect(tree.isHidden(read, beside: [:]))
    // What is above comes first.
    #expect(OfflineTree().isHidden(read, beside: [above: later]))
  }

  @Test func `Commands show at once, survive a kill, and are done once`() async throws {
    var store: OfflineStore? = try await world.online(keeping: list)
    await store?.stop()
    let saw = try #require(try await store?.id("Saw", in: list))
    let rope = try #require(try await store?.id("Rope", in: list))
    let made = try await store?.createItem(
      ItemDraft(name: "Torch", valueInDollars: 7), in: list, at: 1)
    try await store?.move([saw], into: list, at: 3)
    try await store?.delete(rope)
    try await store?.editItem(.init(rawValue: saw.rawValue), ItemEdit(name: "Big saw"))
    let box = try await store?.createList(ListDraft(title: "Box", in: list), at: 0)
    let boxID = Rowhouse.List.ID(rawValue: try #require(box?.row).rawValue)
    try await store?.createItem(ItemDraft(name: "Nail"), in: boxID)
    #expect(made?.title == "Torch")
    let shown = ["Box", "Torch", "Lamp", "Big saw"]
    #expect(await store?.titles(of: list) == shown)
    store = nil

    let opened = try world.open()
    #expect(await opened.titles(of: list) == shown)
    #expect(await opened.titles(of: boxID) == ["Nail"])
    #expect(
      await opened.status.waiting.map(\.title) == ["Torch", "Saw", "Rope", "Saw", "Box", "Nail"])
    #expect(await opened.list(list)?.totalValueInDollars == 12)
    // Somebody else was quicker.
    try await rowhouse.move(rope, to: list, at: .first)
    try await rowhouse.createItem(ItemDraft(name: "Theirs", at: .first), in: list)
    await opened.start()
    try await expectSame(opened, list, at: rowhouse)
    // The saw was put below the rope, the torch above the lamp, and the box above the torch.
    #expect(await opened.titles(of: list) == ["Theirs", "Big saw", "Box", "Torch", "Lamp"])
    #expect(await opened.titles(of: boxID) == ["Nail"])
    #expect(await opened.status.waiting.isEmpty)
    #expect(await opened.refused.isEmpty)
  }

  @Test(arguments: [FaultRule.Effect.loseAnswer, .disconnect])
  func `A lost answer is not a second row`(effect: FaultRule.Effect) async throws {
    let store = try await world.online(keeping: list)
    try await server.fail(FaultRule(effect, route: "/v1/sync", nth: 1))
    for number in 1...3 { try await store.createItem(ItemDraft(name: "\(number)"), in: list) }
    try await expectSame(store, list, at: rowhouse)
    #expect(await store.titles(of: list) == ["Saw", "Lamp", "Rope", "1", "2", "3"])
    #expect(await store.notices.isEmpty)
  }

  @Test func `A command that the server cannot read is refused on its own`() async throws {
    let store = try await world.online(keeping: list)
    await store.stop()
    for name in ["A", "b\0", "C", "d\0", "E"] {
      try await store.createItem(ItemDraft(name: name), in: list)
    }
    // As a proxy with a lower limit would.
    try await server.fail(
      FaultRule(.refuse, method: "POST", path: "/v1/sync", nth: 2, status: 413))
    await store.start()
    try await expectSame(store, list, at: rowhouse)
    #expect(await store.titles(of: list).suffix(3) == ["A", "C", "E"])
    #expect(await store.refused.map(\.title) == ["b\0", "d\0"])
    #expect(await store.refused.allSatisfy { $0.outcome.problem?.code == .malformedJSON })
    // The numbers that were not used are used by the next commands.
    try await store.createItem(ItemDraft(name: "F"), in: list)
    try await expectSame(store, list, at: rowhouse)
    #expect(try await rowhouse.titles(of: list).last == "F")
    #expect(await store.status.refusal == nil)
  }

  @Test func `A refused command is handed to the app with what it contained`() async throws {
    let store = try await world.online(keeping: list)
    await store.stop()
    let lamp = try await store.id("Lamp", in: list)
    try await store.editItem(.init(rawValue: lamp.rawValue), ItemEdit(name: "Bright lamp"))
    try await store.createItem(ItemDraft(name: "Torch"), in: list, at: 0)
    try await rowhouse.delete(lamp)
    await store.start()
    try await expectSame(store, list, at: rowhouse)
    let refused = try #require(await store.refused.first)
    #expect(await store.refused.count == 1)
    #expect(refused.outcome.problem?.code == .inTrash)
    #expect(refused.title == "Lamp")
    guard case .editItem(_, let patch, _) = refused.intent else {
      Issue.record("\(refused)")
      return
    }
    #expect(patch == ["name": "Bright lamp"])
    await store.stop()

    try await store.dismiss(refused.id)
    #expect(await store.refused.isEmpty)
    #expect(await store.titles(of: list) == ["Torch", "Saw", "Rope"])
  }

  @Test func `An edit says what it has replaced, and its undo brings that back`() async throws {
    let store = try await world.online(keeping: list)
    let lamp = Item.ID(rawValue: try await store.id("Lamp", in: list).rawValue)
    try await store.read(lamp)
    await store.stop()
    var edit = ItemEdit(name: "Mine")
    edit.notes = .set("bright")
    let entry = try await store.editItem(lamp, edit)
    #expect(await store.item(lamp)?.notes == "bright")
    try await rowhouse.edit(lamp, ItemEdit(name: "Theirs"))
    await store.start()
    try await expectSame(store, list, at: rowhouse)
    let notice = try #require(await store.notices.first)
    #expect(notice.outcome.outcome == .overwrote)
    #expect(notice.outcome.overwritten == ["name": "Theirs"])
    #expect(try await store.undo(entry.id).isEmpty)
    try await eventually { await store.titles(of: list).contains("Theirs") }
    try await eventually { await store.item(lamp)?.notes == nil }
    #expect(await store.item(lamp)?.name == "Theirs")
  }

  @Test func `An undo takes back what waits, and what needs it`() async throws {
    let store = try await world.online(keeping: list)
    await store.stop()
    let box = try await store.createList(ListDraft(title: "Box", in: list))
    let boxID = Rowhouse.List.ID(rawValue: try #require(box.row).rawValue)
    try await store.move([store.id("Saw", in: list)], into: boxID)
    let torch = try await store.createItem(ItemDraft(name: "Torch"), in: list)
    #expect(await store.titles(of: list) == ["Lamp", "Rope", "Box", "Torch"])
    let removed = try await store.undo(box.id)
    #expect(removed.map(\.title) == ["Box", "Saw"])
    #expect(await store.titles(of: list) == ["Saw", "Lamp", "Rope", "Torch"])
    await store.start()
    try await expectSame(store, list, at: rowhouse)
    try await store.undo(torch.id)
    try await eventually { await store.titles(of: list) == ["Saw", "Lamp", "Rope"] }
    await #expect(throws: OfflineError.self) { try await store.undo(999) }
  }

  @Test func `Photos are sent after their item, once, and survive a kill`() async throws {
    var store: OfflineStore? = try await world.online(keeping: list)
    await store?.stop()
    let item = try await store?.createItem(ItemDraft(name: "Torch"), in: list)
    let id = Item.ID(rawValue: try #require(item?.row).rawValue)
    try await store?.addPhoto(Data(SampleImage.png()), to: id)
    let lamp = Item.ID(rawValue: try #require(try await store?.id("Lamp", in: list)).rawValue)
    let late = try #require(try await store?.addPhoto(Data(SampleImage.gif()), to: lamp))
    store = nil
    try await rowhouse.delete(Row.ID(lamp))

    let opened = try world.open()
    #expect(await opened.status.photos.count == 2)
    try await server.fail(
      FaultRule(.loseAnswer, method: "POST", path: "/v1/items/*/photos", nth: 1))
    await opened.start()
    try await expectSame(opened, list, at: rowhouse)
    #expect(try await rowhouse.photos(of: id).count == 1)
    let refused = try #require(await opened.refused.first)
    #expect(refused.photo == late)
    #expect(refused.outcome.problem?.code == .inTrash)
    #expect(try Data(contentsOf: opened.file(of: late)) == Data(SampleImage.gif()))
    try await opened.dismiss(refused.id)
    #expect(!FileManager.default.fileExists(atPath: opened.file(of: late).path))
  }

  @Test func `A photo is sent before what was done after it and could refuse it`() async throws {
    var draft = ListDraft(title: "Archive")
    draft.permissions = Permissions(edit: false)
    let archive = try await rowhouse.createList(draft).resource
    let store = try await world.online(keeping: .root, list, archive.id)
    await store.stop()
    let shown = try #require(await store.rows(of: list))
    let rows = shown.filter { !$0.isSentinel }.map(\.id)
    let items = rows.map { Item.ID(rawValue: $0.rawValue) }
    for item in items { try await store.addPhoto(Data(SampleImage.png()), to: item) }
    try await store.move([rows[0]], into: archive.id)
    try await store.delete(rows[1])
    try await store.delete(Row.ID(rawValue: list.rawValue), recursive: true)
    await store.start()
    try await eventually { await store.status.waiting.isEmpty }
    #expect(await store.refused.isEmpty)
    #expect(try await rowhouse.photos(of: items[0]).count == 1)
    try await rowhouse.restore(Row.ID(rawValue: list.rawValue))
    try await rowhouse.restore(rows[1])
    for item in items { #expect(try await rowhouse.photos(of: item).count == 1) }
  }

  @Test func `A sign-out erases everything`() async throws {
    let store = try await world.online(keeping: list)
    await store.stop()
    try await store.createItem(ItemDraft(name: "Secret"), in: list)
    try await store.addPhoto(Data(SampleImage.png()), to: .init(rawValue: UUID().uuidString))
    try await store.signOut()
    #expect(!FileManager.default.fileExists(atPath: world.path("phone").path))
    #expect(await store.rows(of: list) == nil)
    await #expect(throws: OfflineError.self) {
      try await store.createItem(ItemDraft(name: "Late"), in: list)
    }
    let fresh = try await world.online(keeping: list)
    #expect(await fresh.titles(of: list) == ["Saw", "Lamp", "Rope"])
  }

  @Test(arguments: [true, false])
  func `After an import that replaces everything, a store reads everything again`(
    isConnected: Bool
  ) async throws {
    let other = try makeServer()
    try await other.rowhouse.createList(ListDraft(title: "Cellar"))
    let file = world.path("other.ndjson")
    try await other.rowhouse.export(to: file)
    // Servers for tests count ids.
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing("00000000-0000-7000", with: "11111111-0000-7000")
      .write(to: file, atomically: true, encoding: .utf8)
    let store = try await world.online(keeping: list)
    try await store.keepAll()
    if !isConnected { await store.stop() }
    try await rowhouse.import(from: file, .replace)
    await store.start()
    try await eventually { await store.titles(of: .root) == ["Cellar"] }
    try await eventually { await store.rows(of: list) == nil }
    try await store.createItem(ItemDraft(name: "Saw"), in: .root)
    try await expectSame(store, .root, at: rowhouse)
    #expect(try await rowhouse.titles(of: .root) == ["Cellar", "Saw"])
  }

  @Test func `A folder is for one server, one sight and one store at a time`() async throws {
    let owner = try await rowhouse.createToken(for: "Sam", role: .owner)
    let own = try #require(owner.token)
    var signedIn = rowhouse
    signedIn.token = own
    let guest = try await signedIn.createToken(for: "Kim", role: .editor, list: list)
    var store: OfflineStore? = try world.open(token: own)
    await store?.start()
    try await store?.keep(list)
    await store?.stop()
    #expect(throws: OfflineError.self) { try world.open(token: own) }
    store = nil

    let other = try world.open(token: guest.token)
    await other.start()
    try await eventually { await other.stopReason != nil }
    guard case .otherData? = await other.stopReason else {
      Issue.record("\(String(describing: await other.stopReason))")
      return
    }
    let elsewhere = Rowhouse(at: server.url.appendingPathComponent("other"))
    #expect(throws: OfflineError.self) {
      try OfflineStore(in: world.path("phone"), for: elsewhere)
    }
    // Another folder is another store.
    let second = try world.open("guest", token: guest.token)
    await second.start()
    try await second.keep(.root)
    #expect(await second.titles(of: .root) == ["Saw", "Lamp", "Rope"])
    try await second.createItem(ItemDraft(name: "Theirs"), in: .root)
    try await expectSame(second, list, at: signedIn)

    // A revoked token stops the store. Nothing is lost.
    try await signedIn.revokeToken(guest.id)
    try await eventually { await second.stopReason != nil }
    try await second.createItem(ItemDraft(name: "Late"), in: .root)
    #expect(await second.titles(of: .root) == ["Saw", "Lamp", "Rope", "Theirs", "Late"])
    #expect(await second.status.waiting.count == 1)
  }

  @Test func `A reader's commands wait, and the status says why`() async throws {
    let owner = try #require(try await rowhouse.createToken(for: "Sam", role: .owner).token)
    var signedIn = rowhouse
    signedIn.token = owner
    let reader = try await signedIn.createToken(for: "Kim", role: .reader)
    let store = try world.open(token: reader.token)
    await store.start()
    try await store.keep(list)
    try await store.createItem(ItemDraft(name: "Torch"), in: list)
    try await eventually { await store.status.refusal?.code == .roleForbids }
    #expect(await store.status.waiting.count == 1)
    // It still follows.
    try await signedIn.createItem(ItemDraft(name: "Theirs", at: .first), in: list)
    try await eventually {
      await store.titles(of: list) == ["Theirs", "Saw", "Lamp", "Rope", "Torch"]
    }
  }
}
