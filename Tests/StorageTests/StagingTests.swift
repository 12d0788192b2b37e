import FoundationEssentials
import Inventory
@testable import Storage
import Support
import Testing

@Suite struct `Imports that come in steps` {
  /// Plain arrays, and the store on SQLite, both filled by the same history.
  private func filled(seed: UInt64, _ shape: TreeShape) throws -> (ArrayStore, StoreUnderTest) {
    let clock = SetClock()
    let tested = try StoreUnderTest(shape, clock)
    let session = try tested.store.makeSession()
    let root = try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      try snapshot.list(.root, for: .local)
    }
    session.rest()
    let model = ArrayStore(root: root, clock: { clock.now })
    try RandomImports.fill(model, and: tested.store, seed: seed)
    return (model, tested)
  }

  private func records(_ store: any Store) throws -> [TransferRecord] {
    let session = try store.makeSession()
    defer { session.rest() }
    return try session.readNow(.everything) { (snapshot) throws(InventoryError) in
      var records: [TransferRecord] = []
      try snapshot.transfer(of: .root, for: .local) { records.append($0) }
      return records
    }
  }

  /// Sends a tree in steps of random length; the last outcome.
  private func stage(
    _ records: [TransferRecord], _ target: ImportTarget, in store: any Store, seed: UInt64,
    id: ImportID = ImportID(.version7())
  ) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    let context = WriteContext(caller: .local, requestID: "import")
    var rest = records.enumerated().map { NumberedRecord(line: $0.offset + 2, record: $0.element) }[
      ...]
    while !rest.isEmpty {
      let step = Array(rest.prefix(Int.random(in: 1...7, using: &random)))
      rest = rest.dropFirst(step.count)
      _ = try store.write(.stage(id, target, step), context).get()
    }
    return try store.write(.finishImport(id), context).get()
  }

  @Test(arguments: 0..<40)
  func `what was exported and replaces another inventory is exported the same again`(
    seed: UInt64
  ) throws {
    let shape = TreeShape(fanOut: seed % 2 == 0 ? 4 : 64)
    let (model, tested) = try filled(seed: seed, shape)
    defer { tested.close() }
    let exported = try records(tested.store)
    #expect(try records(model) == exported, "seed \(seed)")

    let (other, otherTested) = try filled(seed: seed &+ 1_000, shape)
    defer { otherTested.close() }
    let before = try otherTested.revision()
    let expected = try stage(exported, .inventory, in: other, seed: seed)
    let outcome = try stage(exported, .inventory, in: otherTested.store, seed: seed)
    #expect(outcome == expected, "seed \(seed)")
    #expect(outcome.receipt.revision.number == before.number + Revision.replacementGap)
    #expect(try otherTested.revision() == outcome.receipt.revision)
    #expect(try records(otherTested.store) == exported, "seed \(seed)")
    #expect(try records(other) == exported, "seed \(seed)")
    try otherTested.settle()
    #expect(try otherTested.findings() == [], "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func `a tree that is new comes to the end of a list whole`(seed: UInt64) throws {
    let (model, tested) = try filled(seed: seed, TreeShape(fanOut: 4))
    defer { tested.close() }
    let open = Command.editList(.root) { (details) throws(InventoryError) in
      var details = details
      details.permissions = .all
      return details
    }
    let context = WriteContext(caller: .local, requestID: "open")
    #expect(try model.write(open, context).get() == tested.store.write(open, context).get())
    let before = try records(tested.store)
    let tree = RandomImports.renamed(before, by: 100_000 + Int(seed))
    let expected = try stage(tree, .end(of: .root), in: model, seed: seed)
    let outcome = try stage(tree, .end(of: .root), in: tested.store, seed: seed)
    #expect(outcome == expected, "seed \(seed)")
    #expect(try records(model) == records(tested.store), "seed \(seed)")
    #expect(try records(tested.store).count == before.count + tree.count)
    try tested.settle()
    #expect(try tested.findings() == [], "seed \(seed)")
  }

  @Test func `what is being staged is seen by nobody`() throws {
    let store = try OpenStore()
    let tree = RandomImports.tree(lists: 3, items: 5)
    let id = ImportID(.version7())
    try store.write(.stage(id, .end(of: .root), tree))
    #expect(try store.titles() == [])
    for numbered in tree {
      #expect(throws: InventoryError.notFound(.row)) {
        try store.read { (snapshot) throws(InventoryError) in
          try snapshot.place(of: numbered.record.id, for: .local)
        }
      }
    }
    guard
      case .failure(.importRunning) = store.result(
        .stage(ImportID(.version7()), .inventory, tree))
    else {
      Issue.record("a second import was let in")
      return
    }
    try store.write(.abandonImport(id))
    #expect(try store.titles() == [])
    #expect(store.result(.finishImport(id)) == .failure(.importGone))
  }

  @Test func `a rehearsal leaves everything as it was`() throws {
    let store = try OpenStore()
    try store.addThing("here")
    let tree = RandomImports.tree(lists: 2, items: 4)
    let before = try store.read { (s) throws(InventoryError) in try s.revision(for: .local) }
    let outcome = try store.rehearse(.merge(tree, into: .root))
    #expect(outcome.counts == TransferCounts(created: tree.count))
    let id = ImportID(.version7())
    try store.write(.stage(id, .inventory, tree))
    #expect(try store.rehearse(.finishImport(id)).receipt.isChanged)
    try store.write(.abandonImport(id))
    #expect(try store.titles() == ["here"])
    #expect(
      try store.read { (s) throws(InventoryError) in try s.revision(for: .local) } == before)
  }

  @Test(arguments: [LineConflict.Reason.noParent, .idTaken, .secondTop, .otherContents])
  func `a line that does not fit is named`(reason: LineConflict.Reason) throws {
    let store = try OpenStore()
    var tree = RandomImports.tree(lists: 2, items: 4)
    let item = try #require(tree.last)
    let list = RandomImports.list
    var last = item.record
    switch reason {
    case .noParent: last = RandomImports.item(in: ListID(.version7()))
    case .secondTop: last = list(.nothing)
    case .otherContents:
      tree.append(
        NumberedRecord(line: 98, record: list(.item(ItemID(item.record.id)))))
      last = list(.item(ItemID(item.record.id)))
    default: break
    }
    tree.append(NumberedRecord(line: 99, record: last))
    let expected = InventoryError.lineConflicts([
      LineConflict(line: 99, id: last.id, reason: reason)
    ])
    let id = ImportID(.version7())
    #expect(store.result(.stage(id, .inventory, tree)) == .failure(expected))
  }

  @Test func `what was being staged when the process ended is gone after the next start`() throws {
    let folder = try TemporaryFolder()
    let id = ImportID(.version7())
    let tree = RandomImports.tree(lists: 3, items: 40)
    do {
      let store = try OpenStore { $0.path = folder.database }
      try store.write(.stage(id, .end(of: .root), tree))
    }
    let store = try OpenStore { $0.path = folder.database }
    #expect(store.result(.finishImport(id)) == .failure(.importGone))
    #expect(try store.titles() == [])
    // Its ids are in the way no longer than it takes to clear it away.
    try store.write(.stage(ImportID(.version7()), .inventory, tree))
  }

  @Test func `what was replaced is cleared away, and what was abandoned`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .zero }
    try store.write(.merge(RandomImports.tree(lists: 3, items: 200), into: .root))
    let gone = try store.addThing("Gone")
    try store.write(.deleteRow(RowID(gone), kind: .any, isRecursive: false))
    let id = ImportID(.version7())
    let tree = RandomImports.tree(lists: 2, items: 10)
    try store.write(.stage(id, .inventory, tree))
    try store.write(.finishImport(id))
    for target in [ImportTarget.inventory, .end(of: .root)] {
      let other = ImportID(.version7())
      try store.write(.stage(other, target, RandomImports.tree(lists: 2, items: 100)))
      try store.write(.abandonImport(other))
    }
    let db = try store.connection()
    func count(_ table: String) throws -> Int? {
      try db.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) }
    }
    wait {
      (try? count("inventory")) == 1 && (try? count("purge")) == 0
        && (try? count("row")) == tree.count
    }
    #expect(try count("list") == 3)
    #expect(try count("trash") == 0)
    #expect(try count("change") == 0)
    #expect(try count("operation") == 0)
    #expect(try count("staging") == 0)
  }

  @Test func `replacing is for owners of the whole inventory`() throws {
    let store = try OpenStore()
    let list = try store.addList("below")
    let tree = RandomImports.tree(lists: 1, items: 1)
    for caller in [
      Caller(role: .editor, name: "editor"), Caller(root: list, role: .owner, name: "scoped"),
    ] {
      let result = store.result(.stage(ImportID(.version7()), .inventory, tree), as: caller)
      guard case .failure(.roleForbids) = result else {
        Issue.record("\(caller.name) was let in")
        continue
      }
    }
  }
}

extension StoreUnderTest {
  fileprivate func revision() throws -> Revision {
    let session = try store.makeSession()
    defer { session.rest() }
    return try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      try snapshot.revision(for: .local)
    }
  }
}

extension OpenStore {
  fileprivate func rehearse(_ command: Command) throws -> Outcome {
    var context = WriteContext(caller: .local, requestID: "test")
    context.isRehearsal = true
    return try store.write(command, context).get()
  }
}
