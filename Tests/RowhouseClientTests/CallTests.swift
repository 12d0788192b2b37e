import Foundation
import RowhouseClient
import RowhouseTesting
import Support
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct CallTests {
  let server: RowhouseTestServer
  var rowhouse: Rowhouse { server.rowhouse }

  init() throws { server = try makeServer() }

  private func titles(_ list: Rowhouse.List.ID) async throws -> [String] {
    try await rowhouse.rows(of: list).rows.map(\.title)
  }

  @Test func `Lists nest, and rows are put into order`() async throws {
    let garage = try await rowhouse.createList(ListDraft(title: "Garage"))
    #expect(garage.index == 0)
    let list = garage.resource.id
    let shelf = try await rowhouse.createList(ListDraft(title: "Shelf", in: list))
    let saw = try await rowhouse.createItem(
      ItemDraft(name: "Saw", valueInDollars: Decimal(string: "24.50")), in: list)
    let car = try await rowhouse.createItem(
      ItemDraft(car: Car(make: "Saab", model: "900", year: 1988), at: .first), in: list)
    #expect(try await titles(list) == ["1988 Saab 900", "Shelf", "Saw", "No more items!"])
    #expect(car.resource.kind == .car)
    #expect(saw.resource.valueInDollars == Decimal(string: "24.50"))

    let moved = try await rowhouse.moveRow(
      in: list, from: 2, to: 0, expecting: Row.ID(saw.resource.id))
    #expect(moved.changed)
    #expect(try await rowhouse.moveTarget(in: list, from: 0, proposed: 9) == 2)
    try await rowhouse.move(Row.ID(saw.resource.id), to: shelf.resource.id, at: .first)
    #expect(try await titles(shelf.resource.id) == ["Saw", "No more items!"])
    try await rowhouse.move(
      [Row.ID(saw.resource.id)], into: list, at: .after(Row.ID(car.resource.id)))
    #expect(try await titles(list) == ["1988 Saab 900", "Saw", "Shelf", "No more items!"])
    try await rowhouse.sort(list, by: "-title")
    #expect(try await titles(list) == ["Shelf", "Saw", "1988 Saab 900", "No more items!"])
    try await rowhouse.reorder(
      list,
      [Row.ID(saw.resource.id), Row.ID(shelf.resource.id), Row.ID(car.resource.id)])
    #expect(try await titles(list) == ["Saw", "Shelf", "1988 Saab 900", "No more items!"])
    let place = try await rowhouse.place(of: Row.ID(saw.resource.id))
    #expect(place.path.map(\.title).suffix(2) == ["Garage", "Saw"])
    #expect(place.index == 0)
    #expect(try await rowhouse.resolve("/Garage/Shelf").id == Row.ID(shelf.resource.id))
    let view = try await rowhouse.view(of: list, sort: "title", type: .item)
    #expect(view.matched == 2)
    #expect(view.rows.map(\.title) == ["1988 Saab 900", "Saw", "No more items!"])
  }

  @Test func `Fields are kept, cleared and guarded`() async throws {
    var draft = ItemDraft(name: "Drill")
    draft.serialNumber = "D-1"
    draft.tags = ["tool", "blue"]
    draft.fields = ["volts": 18, "cordless": true, "notes": ["a", .null]]
    let made = try await rowhouse.createItem(draft).resource
    #expect(made.fields == draft.fields)
    var edit = ItemEdit()
    edit.serialNumber = .clear
    edit.quantity = .set(3)
    let edited = try await rowhouse.edit(made.id, edit, ifAt: made.revision).resource
    #expect(edited.serialNumber == nil)
    #expect(edited.quantity == 3)
    #expect(edited.tags == ["tool", "blue"])
    #expect(try await rowhouse.item(made.id) == edited)

    let late = await #expect(throws: RowhouseError.self) {
      try await rowhouse.edit(made.id, ItemEdit(name: "Late"), ifAt: made.revision)
    }
    #expect(late?.code == .preconditionFailed)
    #expect(late?.problem?.current == edited)

    var new = ListDraft(title: "Shelf")
    new.permissions = Permissions(add: false)
    new.sentinel = Sentinel(text: "Full", visible: false)
    new.deleteLabel = "Throw away"
    new.glyph = "📚"
    new.colour = .teal
    let shelf = try await rowhouse.createList(new).resource
    #expect(shelf.permissions == Permissions(add: false))
    #expect(shelf.sentinel == Sentinel(text: "Full", visible: false))
    #expect(shelf.deleteLabel == "Throw away")
    #expect(shelf.glyph == "📚")
    #expect(shelf.colour == .teal)
    var plain = ListEdit()
    plain.glyph = .clear
    plain.colour = .set(.red)
    let painted = try await rowhouse.edit(shelf.id, plain)
    #expect(painted.resource.glyph == nil)
    #expect(painted.resource.colour == .red)
    let own = painted.receipt.deltas.first { $0.listID == shelf.id }
    guard case .changes(let changes)? = own?.content else {
      Issue.record("no delta of the list")
      return
    }
    #expect(changes.list?.glyph == .some(nil))
    #expect(changes.list?.colour == .some(.red))
    #expect(changes.list?.title == nil)
    var list = ListEdit(title: "Home")
    list.sentinel.text = .set("The end")
    list.permissions.delete = false
    let root = try await rowhouse.edit(.root, list).resource
    #expect(root.sentinel == Sentinel(text: "The end"))
    #expect(root.permissions == Permissions(delete: false))
    // An edit sends what changes and nothing else.
    list = ListEdit()
    list.permissions.add = false
    #expect(
      try await rowhouse.edit(.root, list).resource.permissions
        == Permissions(add: false, delete: false))
    list = ListEdit()
    list.sentinel.text = .clear
    list.sentinel.visible = false
    #expect(
      try await rowhouse.edit(.root, list).resource.sentinel
        == Sentinel(text: "No more items!", visible: false))
  }

  @Test func `Items are found by an exact value`() async throws {
    for serial in ["A & B", "A & B", "a & b"] {
      var draft = ItemDraft(name: "Saw")
      draft.serialNumber = serial
      draft.tags = [serial]
      draft.fields = ["lent to": .string(serial)]
      try await rowhouse.createItem(draft)
    }
    for lookup: ItemLookup in [
      .serialNumber("A & B"), .tag("A & B"), .field("lent to", "A & B"),
    ] {
      let found = try await rowhouse.items(with: lookup)
      #expect(found.map(\.serialNumber) == ["A & B", "A & B"])
      #expect(try await rowhouse.items(with: lookup, offset: 1, limit: 5) == [found[1]])
    }
    #expect(try await rowhouse.items(with: .tag("A")).isEmpty)
  }

  @Test func `What was deleted comes back`() async throws {
    let list = try await rowhouse.createList(ListDraft(title: "Attic")).resource
    let item = try await rowhouse.createItem(ItemDraft(name: "Trunk"), in: list.id).resource
    let refusal = await #expect(throws: RowhouseError.self) {
      try await rowhouse.delete(Row.ID(list.id))
    }
    #expect(refusal?.code == .listNotEmpty)
    #expect(refusal?.problem?.count == 1)
    let receipt = try await rowhouse.delete(Row.ID(list.id), recursive: true)
    let gone = await #expect(throws: RowhouseError.self) { try await rowhouse.item(item.id) }
    #expect(gone?.code == .inTrash)
    #expect(try await rowhouse.trash().map(\.title) == ["Attic"])
    #expect(try await rowhouse.undo(receipt) != nil)
    #expect(try await rowhouse.item(item.id) == item)
    try await rowhouse.delete(Row.ID(item.id))
    try await rowhouse.restore(Row.ID(item.id))
    #expect(try await rowhouse.item(item.id).name == "Trunk")
    #expect(try await rowhouse.log().changes.count >= 6)
    let changes = try await rowhouse.latestChanges(2)
    #expect(changes.map(\.action) == ["restore row", "delete row"])
  }

  @Test func `Photos go up and come down`() async throws {
    let item = try await rowhouse.createItem(ItemDraft(name: "Vase")).resource
    // The smallest GIF there is, of one pixel.
    let bytes = try #require(
      Data(base64Encoded: "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="))
    let photo = try await rowhouse.addPhoto(bytes, to: item.id).resource
    #expect(photo.type == "image/gif")
    #expect(photo.width == 1)
    #expect(try await rowhouse.photos(of: item.id) == [photo])
    #expect(try await rowhouse.photo(photo.id, of: item.id) == bytes)
    // The header of a JPEG of one pixel.
    let rendition = Data([
      0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xD9,
    ])
    try await rowhouse.addRendition(rendition, .thumbnail, of: photo.id, in: item.id)
    #expect(try await rowhouse.photo(photo.id, of: item.id, atLeast: 100) == rendition)
    #expect(try await rowhouse.photo(photo.id, of: item.id, atLeast: 1_000) == bytes)
    try await rowhouse.addRenditions(of: bytes, as: photo.id, in: item.id)
    let second = try await rowhouse.addPhoto(bytes, to: item.id).resource
    try await rowhouse.reorderPhotos(of: item.id, [second.id, photo.id])
    #expect(try await rowhouse.photos(of: item.id).map(\.id) == [second.id, photo.id])
    try await rowhouse.deletePhoto(photo.id, of: item.id)
    #expect(try await rowhouse.photos(of: item.id).map(\.id) == [second.id])
  }

  @Test func `A photo may come from a cache, and nothing else`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [CachePolicies.self]
    let watched = Rowhouse(
      at: try #require(URL(string: "http://policies.example")), retries: .never,
      configuration: configuration)
    let (photo, item) = (Photo.ID(rawValue: "a"), Item.ID(rawValue: "b"))
    await #expect(throws: RowhouseError.self) { try await watched.photo(photo, of: item) }
    await #expect(throws: RowhouseError.self) { try await watched.item(item) }
    await #expect(throws: RowhouseError.self) { try await watched.photos(of: item) }
    #expect(
      CachePolicies.seen.withLock(\.self) == [
        "/v1/items/b/photos/a": .useProtocolCachePolicy,
        "/v1/items/b": .reloadIgnoringLocalCacheData,
        "/v1/items/b/photos": .reloadIgnoringLocalCacheData,
      ])
  }

  @Test func `What a car has is edited member by member`() async throws {
    let car = Car(make: "Saab", model: "900", year: 1988, fuelAmount: 12)
    let made = try await rowhouse.createItem(ItemDraft(car: car)).resource
    var edit = ItemEdit()
    edit.car.make = .set("SAAB")
    edit.car.year = .clear
    let edited = try await rowhouse.edit(made.id, edit).resource
    #expect(edited.car == Car(make: "SAAB", model: "900", fuelAmount: 12))
    edit.car = CarEdit(Car(make: "Volvo", model: "240"))
    #expect(
      try await rowhouse.edit(made.id, edit).resource.car == Car(make: "Volvo", model: "240"))
    // A thing has none of it, and what is not said is not sent.
    let thing = try await rowhouse.createItem(ItemDraft(name: "Saw")).resource
    #expect(try await rowhouse.edit(thing.id, ItemEdit(name: "Axe")).resource.car == nil)
  }

  @Test func `Custom fields are merged`() async throws {
    var draft = ItemDraft(name: "Drill")
    draft.fields = ["volts": 18, "box": ["shelf": 2, "red": true]]
    let made = try await rowhouse.createItem(draft).resource
    var edit = ItemEdit()
    edit.fields = .set(["volts": .null, "box": ["shelf": 3], "new": "yes"])
    #expect(
      try await rowhouse.edit(made.id, edit).resource.fields
        == ["box": ["shelf": 3, "red": true], "new": "yes"])
    edit.fields = .clear
    #expect(try await rowhouse.edit(made.id, edit).resource.fields.isEmpty)
  }

  @Test func `Words and tags are found`() async throws {
    var draft = ItemDraft(name: "Espresso machine")
    draft.tags = ["kitchen"]
    try await rowhouse.createItem(draft)
    let found = try await rowhouse.search("mach espr")
    #expect(found.count == 0)
    let hit = try #require(try await rowhouse.search("espresso mach").hits.first)
    #expect(hit.title == "Espresso machine")
    #expect(hit.snippet.filter(\.match).map(\.text) == ["Espresso", "machine"])
    #expect(try await rowhouse.tags().map(\.tag) == ["kitchen"])
    // What a query escapes comes through.
    try await rowhouse.createItem(ItemDraft(name: "C++ & Ünïcode"))
    #expect(try await rowhouse.resolve("/C++ & Ünïcode").title == "C++ & Ünïcode")
  }

  @Test func `Screens and neighbours are the server's`() async throws {
    let first = try await rowhouse.createItem(ItemDraft(name: "First")).resource
    let second = try await rowhouse.createItem(ItemDraft(name: "Second")).resource
    let screen = try await rowhouse.screen(of: .root, limit: 10)
    #expect(screen.navigationBar.trailing?.action == .edit)
    #expect(screen.rows?.map(\.title) == ["First", "Second", "No more items!"])
    let item = try await rowhouse.screen(of: first.id)
    #expect(item.toolbar?.next?.enabled == true)
    #expect(item.toolbar?.previous?.enabled == false)
    #expect(try await rowhouse.photosScreen(of: first.id).barTogglesOnTap)
    let moving = try await rowhouse.screen(of: .root, mode: .move, moving: Row.ID(first.id))
    #expect(moving.navigationBar.prompt == "Move First to another list.")
    let neighbours = try await rowhouse.speaking("ar").neighbours(of: second.id)
    #expect(neighbours.previous?.title == "First")
    #expect(neighbours.leftArrow == .next)
    #expect(try await rowhouse.speaking("ar").screen(of: .root).dir == .rightToLeft)
  }

  @Test func `A place is found again`() async throws {
    let list = try await rowhouse.createList(ListDraft(title: "Cellar")).resource
    let item = try await rowhouse.createItem(ItemDraft(name: "Wine"), in: list.id).resource
    let made = try await rowhouse.createNavigator(name: "phone")
    try await rowhouse.push(ScreenReference(.list(list.id)), in: made.id)
    try await rowhouse.push(
      ScreenReference(.item(item.id), state: ["zoom": 2]), in: made.id)
    try await rowhouse.keep(["zoom": 3], in: made.id)
    _ = try await rowhouse.createNavigator(name: "tablet")
    let mine = try await rowhouse.navigators(named: "phone")
    #expect(mine.map(\.id) == [made.id])
    #expect(try await rowhouse.navigators().count == 2)
    #expect(try await rowhouse.rename(made.id, to: "old phone").name == "old phone")
    #expect(try await rowhouse.rename(made.id, to: nil).name == nil)
    let found = try await rowhouse.navigator(made.id, restoring: true)
    let stack = try #require(found.tabs.first).stack
    #expect(stack.last?.reference.target == .item(item.id))
    #expect(stack.last?.reference.state == ["zoom": 3])
    #expect(stack.last?.navigationBar.leading?.title == "Cellar")
    #expect(try await rowhouse.pop(in: made.id).tabs[0].stack.count == 2)
    #expect(try await rowhouse.popToRoot(in: made.id).tabs[0].stack.count == 1)
    #expect(try await rowhouse.open(item.id, in: made.id).tabs[0].stack.count == 3)
    #expect(try await rowhouse.pop(to: 0, in: made.id).tabs[0].stack.count == 1)
    #expect(try await rowhouse.open(list.id, in: made.id).tabs[0].stack.count == 2)
    let set = try await rowhouse.setStack(
      [ScreenReference(.list(.root)), ScreenReference(.about)], in: made.id)
    #expect(set.tabs[0].stack.last?.reference.target == .about)
    #expect(try await rowhouse.selectTab(set.selectedTab, in: made.id).tabs[0].stack.count == 1)
    try await rowhouse.deleteNavigator(made.id)
    let gone = await #expect(throws: RowhouseError.self) {
      try await rowhouse.navigator(made.id)
    }
    #expect(gone?.code == .notFound)
  }

  @Test func `A list is shared with a token`() async throws {
    let list = try await rowhouse.createList(ListDraft(title: "Wishes")).resource
    let made = try await rowhouse.createToken(for: "Partner", role: .editor, list: list.id)
    let token = try #require(made.token)
    let partner = Rowhouse(at: server.url, token: token)
    let me = try await partner.me()
    #expect(me.role == .editor)
    #expect(me.rootListID == list.id)
    #expect(try await partner.list().title == "Wishes")
    // From now on every request needs a token. This token is not an administrator's.
    let refusal = await #expect(throws: RowhouseError.self) { try await partner.tokens() }
    #expect(refusal?.code == .roleForbids)
    let stranger = await #expect(throws: RowhouseError.self) { try await rowhouse.list() }
    #expect(stranger?.code == .unauthenticated)
  }

  @Test func `A phone is invited to a list`() async throws {
    let list = try await rowhouse.createList(ListDraft(title: "Wishes")).resource
    let owner = try await rowhouse.createToken(for: "Sam", role: .owner)
    let sam = Rowhouse(at: server.url, token: owner.token)
    let invitation = try await sam.invite(.editor, name: "Kim", list: list.id)
    #expect(
      invitation.link.absoluteString == "\(server.url.absoluteString)/#invite=\(invitation.code)")
    #expect(invitation.qrCode.hasPrefix("<svg"))
    let shown = try await rowhouse.previewInvitation(invitation.code)
    #expect(shown.title == "Wishes")
    #expect(shown.id == invitation.id)
    let other = try await sam.invite(.reader)
    let ids = try await sam.invitations().map(\.id)
    #expect(Set(ids) == Set([invitation.id, other.id].compactMap(\.self)))
    try await sam.withdrawInvitation(try #require(other.id))
    #expect(try await sam.invitations().map(\.id) == [invitation.id])
    let phone = try await rowhouse.acceptInvitation(invitation.code, deviceName: "Phone")
    #expect(phone.name == "Kim (Phone)")
    let kim = Rowhouse(at: server.url, token: phone.token)
    #expect(try await kim.list().title == "Wishes")
    let again = await #expect(throws: RowhouseError.self) {
      try await rowhouse.acceptInvitation(invitation.code, deviceName: "Phone")
    }
    #expect(again?.code == .invitationInvalid)
    #expect(try await sam.renameToken(phone.id, to: "Tablet").name == "Tablet")
  }

  @Test func `An item and a list have labels`() async throws {
    let list = try await rowhouse.createList(ListDraft(title: "Shelf")).resource
    let item = try await rowhouse.createItem(ItemDraft(name: "Globe"), in: list.id).resource
    let label = try await rowhouse.label(ofItem: item.id)
    #expect(String(decoding: label, as: UTF8.self).hasPrefix("<svg"))
    #expect(try await rowhouse.label(ofList: list.id) != label)
  }

  @Test func `All field errors are reported at once`() async throws {
    var draft = ItemDraft(name: String(repeating: "x", count: 501))
    draft.quantity = -1
    let refusal = await #expect(throws: RowhouseError.self) {
      try await rowhouse.createItem(draft)
    }
    #expect(refusal?.code == .invalid)
    #expect(refusal?.problem?.errors?.compactMap(\.pointer).sorted() == ["/name", "/quantity"])
  }

  @Test func `A server that is not there is unreachable`() async throws {
    let port = try HeldPort()
    let anonymous = Rowhouse(
      at: try #require(URL(string: "http://\(port.address)")), token: "rh_none", retries: .never)
    let error = await #expect(throws: RowhouseError.self) { try await anonymous.me() }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

/// Notes how each request would have caches asked, and answers none.
private final class CachePolicies: URLProtocol {
  static let seen = Mutex<[String: URLRequest.CachePolicy]>([:])

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    Self.seen.withLock { $0[request.url?.path ?? ""] = request.cachePolicy }
    client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
  }

  override func stopLoading() {}
}
