import Foundation
import RowhouseTesting
import Support
import Testing

@testable import RowhouseClient

/// Stores and what happens to their server: kills, restored backups, lost history, other clients.
@Suite(.timeLimit(.minutes(60))) struct OfflineServerTests {
  /// A thousand commands, some of each kind.
  private func work(
    _ store: OfflineStore, in list: Rowhouse.List.ID, count: Int
  ) async throws -> Int {
    var made: [Row.ID] = []
    for number in 0..<count {
      switch number % 4 {
      case 2 where made.count > 2:
        let id = Item.ID(rawValue: made[number % made.count].rawValue)
        try await store.editItem(id, ItemEdit(name: "Edited \(number)"))
      case 3 where made.count > 2:
        try await store.move([made[number % made.count]], into: list, at: number % 7)
      default:
        let entry = try await store.createItem(
          ItemDraft(name: "Thing \(number)"), in: list, at: number % 5)
        made.append(try #require(entry.row))
      }
    }
    return made.count
  }

  @Test func `A thousand commands of a killed store go through, once each`() async throws {
    let server = try KilledServer()
    let rowhouse = try await server.start()
    let world = try OfflineWorld(rowhouse)
    let list = try await rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    try await rowhouse.createItem(ItemDraft(name: "Saw"), in: list)
    var store: OfflineStore? = try await world.online(keeping: list)
    await store?.stop()
    // Others move rows meanwhile.
    var others = RandomChanges(of: list, seed: 5)
    for _ in 0..<20 { try await others.make(at: rowhouse) }
    let before = try await rowhouse.rows(of: list).count
    try await server.kill()
    let made = try await work(try #require(store), in: list, count: 1_000)
    store = nil

    let opened = try world.open()
    #expect(await opened.status.waiting.count == 1_000)
    _ = try await server.start()
    let started = ContinuousClock.now
    await opened.start()
    try await eventually { await opened.isSettled }
    let time = ContinuousClock.now - started
    try await expectSame(opened, list, at: rowhouse)
    let titles = await opened.titles(of: list)
    #expect(titles.count == before + made)
    #expect(Set(titles).count == titles.count)
    #expect(await opened.refused.isEmpty)
    if ProcessInfo.processInfo.environment["ROWHOUSE_TEST_MEASURE"] != nil {
      print("1,000 commands went through in \(time).")
    }
  }

  /// With `ROWHOUSE_TEST_MEASURE`, prints the median time of 20 openings.
  @Test func `A list of ten thousand rows is read from disk`() async throws {
    let server = try KilledServer()
    #expect(try await server.run("seed", "--rows", "10000") == .exit(0))
    let rowhouse = try await server.start()
    let world = try OfflineWorld(rowhouse)
    let seeded = try #require(try await rowhouse.rows(of: .root).rows.first)
    let list = Rowhouse.List.ID(rawValue: seeded.id.rawValue)
    let store = try await world.online(keeping: list)
    try await expectSame(store, list, at: rowhouse)
    await store.stop()
    try await server.kill()

    var times: [Duration] = []
    let isMeasured = ProcessInfo.processInfo.environment["ROWHOUSE_TEST_MEASURE"] != nil
    for number in 0..<(isMeasured ? 20 : 1) {
      try FileManager.default.copyItem(at: world.path("phone"), to: world.path("\(number)"))
      let begun = ContinuousClock.now
      let opened = try world.open("\(number)")
      let count = await opened.rows(of: list)?.count
      times.append(ContinuousClock.now - begun)
      #expect(count == 10_001)
    }
    if isMeasured { print("10,000 rows were read in \(times.sorted()[times.count / 2]).") }
  }

  @Test func `A restored backup makes it another client, and nothing is lost`() async throws {
    let server = try KilledServer()
    let rowhouse = try await server.start()
    let world = try OfflineWorld(rowhouse)
    let list = try await rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    let store = try await world.online(keeping: list)
    let backup = server.folder.file("backup.sqlite")
    #expect(try await server.run("backup", backup) == .exit(0))
    for number in 1...3 { try await store.createItem(ItemDraft(name: "Old \(number)"), in: list) }
    try await expectSame(store, list, at: rowhouse)
    let client = await store.client
    try await server.kill()
    #expect(try await server.run("restore", backup, "--force") == .exit(0))
    try await store.createItem(ItemDraft(name: "New"), in: list)
    _ = try await server.start()
    try await expectSame(store, list, at: rowhouse)
    #expect(await store.titles(of: list) == ["New"])
    #expect(await store.client != client)
  }

  /// The server knows the outcome of the last number only, or the copy has seen the changes of the original.
  @Test(arguments: [(1, false), (3, false), (3, true)])
  func `A copy of a folder becomes another client`(changes: Int, isCaughtUp: Bool) async throws {
    let server = try makeServer()
    let world = try OfflineWorld(server.rowhouse)
    let list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    var store: OfflineStore? = try await world.online(keeping: list)
    await store?.stop()
    let client = await store?.client
    store = nil
    try FileManager.default.copyItem(at: world.path("phone"), to: world.path("copy"))
    let first = try await world.online()
    for number in 1...changes {
      try await first.createItem(ItemDraft(name: "A\(number)"), in: list)
      if !isCaughtUp { try await expectSame(first, list, at: server.rowhouse) }
    }
    try await expectSame(first, list, at: server.rowhouse)
    let copy = try world.open("copy")
    #expect(await copy.client == client)
    if isCaughtUp {
      await copy.start()
      try await eventually { await copy.titles(of: list).count == changes }
      await copy.stop()
    }
    for number in 1...5 { try await copy.createItem(ItemDraft(name: "B\(number)"), in: list) }
    await copy.start()
    try await expectSame(copy, list, at: server.rowhouse)
    #expect(await copy.client != client)
    #expect(await copy.notices.isEmpty)
    let titles = (1...changes).map { "A\($0)" } + (1...5).map { "B\($0)" }
    #expect(Set(await copy.titles(of: list)) == Set(titles))
  }

  @Test func `After a lost history all lists are read anew, at one revision`() async throws {
    let server = try makeServer("--history", "5")
    let rowhouse = server.rowhouse
    let world = try OfflineWorld(rowhouse)
    let lists = try await makeLists(3, at: rowhouse)
    let store = try await world.online(keeping: lists[0], lists[1], lists[2])
    await store.stop()
    try await store.createItem(ItemDraft(name: "Mine"), in: lists[0], at: 0)
    for number in 0..<20 {
      try await rowhouse.createItem(ItemDraft(name: "Theirs \(number)"), in: lists[number % 2])
    }
    try await rowhouse.delete(Row.ID(lists[2]), recursive: true)
    await store.start()
    for list in lists.prefix(2) { try await expectSame(store, list, at: rowhouse) }
    #expect(await store.titles(of: lists[0]).first == "Mine")
    try await eventually { await store.rows(of: lists[2]) == nil }
  }

  @Test func `Lists that others delete are gone, with those below them`() async throws {
    let server = try makeServer()
    let rowhouse = server.rowhouse
    let world = try OfflineWorld(rowhouse)
    let top = try await rowhouse.createList(ListDraft(title: "Top")).resource.id
    let inner = try await rowhouse.createList(ListDraft(title: "Inner", in: top)).resource.id
    let saw = try await rowhouse.createItem(ItemDraft(name: "Saw"), in: inner).resource.id
    let store = try await world.online()
    try await store.keepAll()
    #expect(Set(await store.lists.map(\.title)).isSuperset(of: ["Top", "Inner"]))
    try await store.read(saw)
    // A list that is made later is kept, too.
    let late = try await rowhouse.createList(ListDraft(title: "Late", in: top)).resource.id
    try await eventually { await store.rows(of: late) != nil }
    try await rowhouse.delete(Row.ID(top), recursive: true)
    for list in [top, inner, late] { try await eventually { await store.rows(of: list) == nil } }
    try await eventually { await store.item(saw) == nil }
  }

  @Test(arguments: [false, true])
  func `A list is read again if the list above it is deleted and restored during a slow read`(
    isKeptAgain: Bool
  ) async throws {
    let server = try makeServer()
    let rowhouse = server.rowhouse
    let store = try await OfflineWorld(rowhouse).online()
    try await store.keepAll()
    let top = try await rowhouse.createList(ListDraft(title: "Top")).resource.id
    let inner = try await rowhouse.createList(ListDraft(title: "Inner", in: top)).resource.id
    try await rowhouse.createItem(ItemDraft(name: "Saw"), in: inner)
    try await expectSame(store, inner, at: rowhouse)
    try await server.fail(FaultRule(method: "GET", path: "/v1/lists/\(top.rawValue)", delay: 500))
    try await rowhouse.delete(Row.ID(top), recursive: true)
    try await eventually { await store.rows(of: inner) == nil }
    async let kept: Void? = isKeptAgain ? store.keepAll() : nil
    try await rowhouse.restore(Row.ID(top))
    _ = try await kept
    try await expectSame(store, inner, at: rowhouse)
    #expect(await store.titles(of: inner) == ["Saw"])
  }

  /// What others did in a list while they deleted it is not in any event.
  @Test func `A list that was changed, deleted and restored never has old rows`() async throws {
    let server = try makeServer()
    let rowhouse = server.rowhouse
    let network = try FlakyNetwork(to: rowhouse.url)
    let world = try OfflineWorld(Rowhouse(at: network.url))
    let top = try await rowhouse.createList(ListDraft(title: "Top")).resource.id
    let inner = try await rowhouse.createList(ListDraft(title: "Inner", in: top)).resource.id
    let store = try await world.online()
    try await store.keepAll()
    network.goDown()
    var events = rowhouse.events(since: await store.revision).makeAsyncIterator()
    /// Gives the store the events up to a revision, as if only these came through.
    func follow(to revision: Int) async throws {
      while await store.revision ?? 0 < revision {
        await store.take(try #require(try await events.next()), from: store.streams)
        let shown = await store.rows(of: inner)?.filter { !$0.isSentinel }.map(\.title)
        #expect([nil, ["Saw"]].contains(shown))
      }
    }
    try await rowhouse.createItem(ItemDraft(name: "Saw"), in: inner)
    try await follow(to: rowhouse.delete(Row.ID(top), recursive: true).revision)
    #expect(await store.rows(of: top) == nil)
    try await follow(to: rowhouse.restore(Row.ID(top)).revision)
    network.comeBack()
    await store.retryNow()
    for list in [top, inner] { try await expectSame(store, list, at: rowhouse) }
    #expect(await store.titles(of: inner) == ["Saw"])
  }

  /// Phones and another client change the same lists. Sometimes a phone is offline, killed, or gets no answer.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `Mirrors of stores lead to the server's rows, whatever happens`(seed: UInt64) async throws {
    let server = try makeServer()
    let rowhouse = server.rowhouse
    let world = try OfflineWorld(rowhouse)
    let list = try await makeLists(1, at: rowhouse)[0]
    var random = SplitMix64(seed: seed)
    var others = RandomChanges(of: list, seed: seed)
    var stores = [
      try await world.online("a", keeping: list), try await world.online("b", keeping: list),
    ]
    let tables = stores.map { store in
      Task {
        var table = ShownTable()
        for try await update in ListMirror(of: list, at: store).updates() {
          try table.take(update)
          if update.list.title == "Done" { break }
        }
        return table
      }
    }
    try await server.fail(
      FaultRule(.loseAnswer, route: "/v1/sync", share: 0.3),
      FaultRule(.cutEvents, route: "/v1/events", share: 0.3, events: 2), seed: Int(seed))
    for step in 0..<60 {
      let store = stores[step % 2]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: await store.stop()
      case 1: await store.start()
      case 2, 3: _ = try? await others.make(at: rowhouse)
      case 4:
        if let row = await store.rows(of: list)?.filter({ !$0.isSentinel }).randomElement(
          using: &random)
        {
          try await store.delete(row.id)
        }
      case 5, 6:
        if let row = await store.rows(of: list)?.filter({ !$0.isSentinel }).randomElement(
          using: &random)
        {
          try await store.move([row.id], into: list, at: Int.random(in: 0..<20, using: &random))
        }
      case 7:
        if let row = await store.rows(of: list)?.filter({ !$0.isSentinel }).randomElement(
          using: &random)
        {
          try await store.editItem(
            .init(rawValue: row.id.rawValue), ItemEdit(name: "Edited \(step)"))
        }
      default:
        try await store.createItem(
          ItemDraft(name: "Made \(step)"), in: list, at: Int.random(in: 0..<20, using: &random))
      }
    }
    try await server.fail()
    for store in stores { await store.start() }
    for store in stores {
      try await eventually { await store.isSettled }
    }
    try await rowhouse.edit(list, ListEdit(title: "Done"))
    for (store, table) in zip(stores, tables) {
      try await expectSame(store, list, at: rowhouse)
      let table = try await table.value
      #expect(table.rows == (try await rowhouse.wholeList(list).shownRows))
    }
    stores = []
  }

  private func makeLists(_ count: Int, at rowhouse: Rowhouse) async throws -> [Rowhouse.List.ID] {
    var lists: [Rowhouse.List.ID] = []
    for number in 0..<count {
      let list = try await rowhouse.createList(ListDraft(title: "List \(number)")).resource.id
      for number in 0..<5 {
        try await rowhouse.createItem(ItemDraft(name: "First \(number)"), in: list)
      }
      lists.append(list)
    }
    return lists
  }
}
