import FoundationEssentials
import Inventory
@testable import Storage
import Support
import Synchronization
import Testing

@Suite struct `Large imports and tables` {
  @Test(arguments: 0..<60)
  func `have the same result in pieces as at once`(seed: UInt64) throws {
    let clock = SetClock()
    let tested = try StoreUnderTest(TreeShape(fanOut: seed % 2 == 0 ? 4 : 64), clock) {
      $0.rowsAtOnce = 3
    }
    defer { tested.close() }
    let session = try tested.store.makeSession()
    let root = try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      try snapshot.list(.root)
    }
    session.rest()
    let model = ArrayStore(root: root, clock: { clock.now })
    try RandomImports.fill(model, and: tested.store, seed: seed)
    let context = WriteContext(caller: .local, requestID: "bulk")
    // Half of them go where nothing is forbidden.
    if seed % 4 < 2 {
      for case .list(let list) in try records(tested.store) {
        let open = Command.editList(.id(list.id)) { (details) throws(InventoryError) in
          var details = details
          details.permissions = .all
          details.itemKind = .any
          return details
        }
        _ = model.perform(open, context)
        _ = tested.store.write(open, context)
      }
    }
    var random = SplitMix64(seed: seed)
    for _ in 0..<4 {
      let merge = Command.merge(
        try changed(try records(tested.store), &random), into: .root)
      var dryContext = context
      dryContext.isDryRun = true
      let before = try records(tested.store)
      let dryRun = tested.store.write(merge, dryContext)
      #expect(try records(tested.store) == before, "seed \(seed)")
      let expected = model.perform(merge, context)
      let outcome = tested.store.write(merge, context)
      switch (expected, outcome) {
      case (.success(let expected), .success(let outcome)):
        #expect(outcome.counts == expected.counts, "seed \(seed)")
        #expect(outcome.receipt.revision == expected.receipt.revision, "seed \(seed)")
        #expect(try dryRun.get().counts == expected.counts, "seed \(seed)")
        #expect(
          try dryRun.get().receipt.revision == expected.receipt.revision, "seed \(seed)")
        #expect(
          Set(outcome.receipt.deltas.map(\.listID)) == Set(expected.receipt.deltas.map(\.listID)),
          "seed \(seed)")
      case (.failure(let expected), .failure(let error)):
        #expect(error == expected, "seed \(seed)")
        #expect(dryRun == outcome, "seed \(seed)")
      default: Issue.record("seed \(seed): expected \(expected) but got \(outcome)")
      }
      #expect(try records(tested.store) == records(model), "seed \(seed)")
    }
    try tested.settle()
    #expect(try tested.findings() == [], "seed \(seed)")
  }

  private func records(_ store: any Store) throws -> [TransferRecord] {
    let session = try store.makeSession()
    defer { session.rest() }
    return try session.readNow(.everything) { (snapshot) throws(InventoryError) in
      var records: [TransferRecord] = []
      try snapshot.transfer(of: .root) { records.append($0) }
      return records
    }
  }

  /// An export with edits, and with new lists, items and contents in it.
  private func changed(
    _ records: [TransferRecord], _ random: inout SplitMix64
  ) throws -> [NumberedRecord] {
    var result: [TransferRecord] = []
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    func addTree(in holder: TransferredList.Holder) {
      let list = RandomImports.list(holder)
      result.append(list)
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        result.append(RandomImports.item(in: ListID(list.id)))
        if chance(3), case .item(let item)? = result.last {
          let contents = RandomImports.list(.item(item.id))
          result += [contents, RandomImports.item(in: ListID(contents.id))]
        }
      }
      if chance(3) { addTree(in: .list(ListID(list.id))) }
    }
    let withContents = Set(
      records.compactMap { record -> ItemID? in
        if case .list(let list) = record, case .item(let item) = list.holder { item } else { nil }
      })
    // As many as one merge may change.
    var left = Limits.listsChangedAtOnce
    func change() -> Bool {
      left -= 1
      return left >= 0
    }
    for record in records {
      switch record {
      case .list(var list):
        if chance(6) { list.details.title += "!" }
        result.append(.list(list))
        let count = Int.random(in: 0...4, using: &random)
        guard count > 0, change() else { continue }
        for _ in 0..<count {
          if chance(4) {
            addTree(in: .list(list.id))
          } else {
            result.append(RandomImports.item(in: list.id))
          }
        }
      case .item(var item):
        if chance(40), change() {
          item.details.notes = "edited \(UInt8.random(in: 0...255, using: &random))"
        }
        if chance(40), change() { item.details.quantity += 1 }
        result.append(.item(item))
        if chance(8), !withContents.contains(item.id), change() { addTree(in: .item(item.id)) }
      case .photo: break
      }
    }
    return result.enumerated().map { NumberedRecord(line: $0.offset + 2, record: $0.element) }
  }

  @Test func `leave out unchanged rows, and need only one small write then`() throws {
    let store = try OpenStore()
    try fill(store, 2_000)
    var items = try table(of: store)
    items[700].patch.give(.name) { $0.name = "Other" }
    let before = store.store.statistics.groupSizes.sum
    let outcome = try store.write(.upsertItems(items, in: .root))
    #expect(outcome.counts == TransferCounts(updated: 1))
    #expect(store.store.statistics.groupSizes.sum == before + 1)
    guard case .changes(let changes)? = outcome.receipt.deltas.first?.content else {
      Issue.record("There is no delta.")
      return
    }
    #expect(changes.reloads == [RowIndex(700)])
  }

  @Test func `as dry runs never reach the writer`() throws {
    let store = try OpenStore()
    try fill(store, 300)
    let before = store.store.statistics.groupSizes.sum
    var context = WriteContext(caller: .local, requestID: "test")
    context.isDryRun = true
    let items = (0...Limits.rowsAddedAtOnce).map { new("Thing \($0)", line: $0) }
    #expect(
      store.store.write(.upsertItems(items.dropLast(), in: .root), context)
        .map(\.counts) == .success(TransferCounts(created: Limits.rowsAddedAtOnce)))
    #expect(
      store.store.write(.upsertItems(items, in: .root), context)
        == .failure(.tooMuchAtOnce(.rowsAdded)))
    #expect(store.store.statistics.groupSizes.sum == before)
  }

  @Test func `bring new rows in pieces, and show them at once`() throws {
    let store = try OpenStore()
    try fill(store, 10)
    let before = store.store.statistics.groupSizes.sum
    let items = (0..<1_000).map { new("Thing \($0)", line: $0) }
    let outcome = try store.write(.upsertItems(items, in: .root))
    #expect(outcome.counts == TransferCounts(created: 1_000))
    #expect(outcome.receipt.revision == Revision(2))
    // No step has more than 400 rows, except the last one, which only puts them in place.
    #expect(store.store.statistics.groupSizes.sum >= before + 1_000 / 400 + 1)
    #expect(try store.titles(offset: 1_008, limit: 5) == ["Thing 998", "Thing 999"])
    let list = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.root)
    }
    #expect(list.rowCount == 1_010)
    // It is one change, which goes as one.
    try store.write(.undo(Revision(2)))
    #expect(try store.titles().count == 10)
  }

  @Test func `are computed again if the list changes meanwhile`() throws {
    let store = try OpenStore()
    try fill(store, 10)
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let added = Mutex(0)
    // Runs in the writer's transaction whenever it takes something.
    @Sendable func look(_ inner: DatabaseStore) {
      let work = PendingWrite.Work.task { (db) throws(StorageError) in
        let isStaged = try db.sql("SELECT 1 FROM staging").one { _ in true } != nil
        let isDue = added.withLock { added in
          guard isStaged, added < 2 else { return false }
          added += 1
          return true
        }
        guard isDue else { return 0 }
        let item = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Other"))
        inner.submit(
          .createItem(item, in: .root, .first), WriteContext(caller: .local, requestID: "other")
        ) { _ in }
        return 0
      }
      inner.push(work, isOptional: false) { result in
        if case .success = result, !isDone.isFulfilled { look(inner) }
      }
    }
    look(store.store)
    store.store.submit(
      .upsertItems((0..<900).map { new("Thing \($0)", line: $0) }, in: .root),
      WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    #expect(try isDone.value.get().counts == TransferCounts(created: 900))
    #expect(added.withLock { $0 } == 2)
    #expect(try store.titles(offset: 911, limit: 1) == ["Thing 899"])
  }

  @Test func `are refused where they change too much that exists`() throws {
    let store = try OpenStore()
    try fill(store, 1_000)
    var items = try table(of: store)
    for number in items.indices { items[number].patch.give(.quantity) { $0.quantity = 5 } }
    #expect(
      store.result(.upsertItems(items, in: .root)) == .failure(.tooMuchAtOnce(.rowsEdited)))
    let few = Array(items.prefix(Limits.rowsEditedAtOnce))
    #expect(
      try store.write(.upsertItems(few, in: .root)).counts == TransferCounts(updated: few.count))
    var long = Array(items.suffix(20))
    for number in long.indices {
      long[number].patch.give(.notes) { $0.notes = String(repeating: "a", count: 60_000) }
    }
    #expect(
      store.result(.upsertItems(long, in: .root)) == .failure(.tooMuchAtOnce(.textEdited)))
  }

  @Test func `are refused where they change rows of too many lists`() throws {
    let store = try OpenStore()
    var lists: [TransferRecord] = []
    var rows: [TransferRecord] = []
    let top = RandomImports.list(.nothing)
    for _ in 0...Limits.listsChangedAtOnce {
      lists.append(RandomImports.list(.list(ListID(top.id))))
      rows.append(RandomImports.item(in: ListID(lists[lists.count - 1].id)))
    }
    lists.insert(top, at: 0)
    func merge(_ records: some Sequence<TransferRecord>) -> Command {
      .merge(
        records.enumerated().map { NumberedRecord(line: $0.offset + 2, record: $0.element) },
        into: .root)
    }
    try store.write(merge(lists + rows))
    let more = lists.dropFirst().map { RandomImports.item(in: ListID($0.id)) }
    let edited = rows.map { record in
      guard case .item(var item) = record else { return record }
      item.details.quantity = 7
      return .item(item)
    }
    let refusal = Result<Outcome, InventoryError>.failure(.tooMuchAtOnce(.listsChanged))
    for command in [merge(lists + more), merge(lists + edited)] {
      #expect(store.result(command) == refusal)
    }
    let some = try store.write(merge(lists + edited.dropLast() + more.dropLast()))
    #expect(some.counts == TransferCounts(created: rows.count - 1, updated: rows.count - 1))
  }

  @Test func `are refused where they add too much text to lists that exist`() throws {
    let store = try OpenStore()
    var items = (0..<Limits.textKeptAtOnce / 50_000 + 1).map { new("Thing \($0)", line: $0) }
    for number in items.indices {
      items[number].patch.give(.notes) { $0.notes = String(repeating: "a", count: 50_000) }
    }
    #expect(store.result(.upsertItems(items, in: .root)) == .failure(.tooMuchAtOnce(.textKept)))
    items.removeLast()
    #expect(
      try store.write(.upsertItems(items, in: .root)).counts
        == TransferCounts(created: items.count))
  }

  @Test func `with one key are made once`() throws {
    let store = try OpenStore()
    let items = (0..<500).map { new("Thing \($0)", line: $0) }
    var context = WriteContext(caller: .local, requestID: "test")
    context.retry = IdempotentRequest(
      scope: Array(repeating: 1, count: 32), key: "key",
      fingerprint: Array(repeating: 2, count: 32)
    ) { outcome in Array("\(outcome.receipt.revision.number)".utf8) }
    let first = try store.store.write(.upsertItems(items, in: .root), context).get()
    let second = try store.store.write(.upsertItems(items, in: .root), context).get()
    #expect(first.kept?.isReplayed == false)
    #expect(second.kept == StoredResponse(bytes: Array("1".utf8), isReplayed: true))
    #expect(try store.titles().count == 500)
  }

  @Test func `by a token that is gone are refused, and so is what only asks`() throws {
    let store = try OpenStore()
    let items = (0..<500).map { new("Thing \($0)", line: $0) }
    var context = WriteContext(caller: .local, requestID: "test")
    context.caller.grant = .token(TokenID(UUID()))
    for isDryRun in [true, false] {
      context.isDryRun = isDryRun
      #expect(
        store.store.write(.upsertItems(items, in: .root), context) == .failure(.tokenRevoked))
    }
    #expect(try store.titles() == [])
  }

  private func fill(_ store: OpenStore, _ count: Int) throws {
    try store.write(
      .appendItems(
        (0..<count).map {
          NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Old \($0)"))
        }, to: .root))
  }

  private func new(_ name: String, line: Int) -> ItemUpsert {
    var patch = ItemPatch()
    patch.give(.name) { $0.name = name }
    return ItemUpsert(line: line + 2, id: nil, newID: ItemID(.version7()), patch: patch)
  }

  private func table(of store: OpenStore) throws -> [ItemUpsert] {
    try store.read(.everything) { (snapshot) throws(InventoryError) in
      var items: [ItemUpsert] = []
      try snapshot.items(of: .root) { item in
        var patch = ItemPatch()
        if let name = item.details.name { patch.give(.name) { $0.name = name } }
        items.append(
          ItemUpsert(
            line: items.count + 2, id: item.id, newID: ItemID(.version7()), patch: patch))
      }
      return items
    }
  }
}
