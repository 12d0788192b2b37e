import Inventory
@testable import Storage
import Support
import Synchronization
import Testing

@Suite struct `A plan of a merge or a table` {
  private let store: OpenStore
  private let shelf: ListID
  private let drawer: ListID
  private let saw: ItemID
  private let drill: ItemID
  init() throws {
    store = try OpenStore()
    shelf = try store.addList("Shelf")
    drawer = try store.addList("Drawer", to: .id(shelf))
    saw = try store.addThing("Saw", to: .id(shelf))
    drill = try store.addThing("Drill", to: .id(shelf))
  }

  private func edit(
    _ item: ItemID, _ edit: @escaping @Sendable (inout ItemDetails) -> Void
  ) throws {
    try store.write(
      .editItem(item) { (details) throws(InventoryError) in
        var details = details
        edit(&details)
        return details
      })
  }

  private func setReference(of item: ItemID, to reference: String) throws {
    try edit(item) { $0.fields = CustomFields(json: #"{"import_ref":"\#(reference)"}"#) }
  }

  private func line(
    _ reference: String? = nil, id: ItemID? = nil, name: String, line: Int = 2
  ) -> ItemUpsert {
    var patch = ItemPatch()
    patch.give(.name) { $0.name = name }
    if let reference {
      patch.give(.fields) { $0.fields = CustomFields(json: #"{"import_ref":"\#(reference)"}"#) }
    }
    return ItemUpsert(
      line: line, id: id, newID: ItemID(.version7()), patch: patch,
      reference: reference.map { ItemReference(field: "import_ref", value: $0) })
  }

  private func table(_ lines: ItemUpsert...) -> Command { .upsertItems(lines, in: .id(shelf)) }

  /// The merge of an export in which the saw has another name.
  private func merge() throws -> Command {
    let shelf = shelf
    let records = try store.read(.everything) { (snapshot) throws(InventoryError) in
      var records: [TransferRecord] = []
      try snapshot.transfer(of: .id(shelf)) { records.append($0) }
      return records
    }
    return .merge(
      records.enumerated().map { number, record in
        var record = record
        if case .item(var item) = record, item.details.name == "Saw" {
          item.details.name = "Fretsaw"
          record = .item(item)
        }
        return NumberedRecord(line: number + 2, record: record)
      }, into: .root)
  }

  private func expectRefusal(
    of command: Command, plannedBefore change: () throws -> Void
  ) throws {
    #expect(try store.write(command, plannedBefore: change) == .failure(.boundExceeded))
  }

  @Test func `is refused if the reference of an item has changed`() throws {
    try setReference(of: saw, to: "r1")
    let table = table(line("r1", name: "Lamp"))
    try expectRefusal(of: table) { try setReference(of: saw, to: "r2") }
    #expect(try store.write(table).counts == TransferCounts(created: 1))
  }

  @Test func `is refused if an item has got a reference that was new`() throws {
    let table = table(line("r1", name: "Lamp"))
    try expectRefusal(of: table) { try setReference(of: saw, to: "r1") }
    #expect(try store.write(table).counts == TransferCounts(updated: 1))
  }

  @Test func `is refused if a line of a table was unchanged, and is no longer`() throws {
    let table = table(line(id: saw, name: "Saw"), line(id: drill, name: "Lamp", line: 3))
    try expectRefusal(of: table) { try edit(saw) { $0.name = "Axe" } }
    #expect(try store.write(table).counts == TransferCounts(updated: 2))
    try expectRefusal(of: table) {
      try store.write(.deleteRow(RowID(saw), kind: .item, isRecursive: false))
    }
  }

  @Test func `is refused if a row of the file was unchanged, and is no longer`() throws {
    let merge = try merge()
    try expectRefusal(of: merge) { try edit(drill) { $0.name = "Hammer" } }
    #expect(try store.write(merge).counts == TransferCounts(updated: 2))
    #expect(try store.titles(of: .id(shelf)) == ["Drawer", "Fretsaw", "Drill"])
  }

  @Test func `is refused if a list of the file was unchanged, and is no longer`() throws {
    let merge = try merge()
    try expectRefusal(of: merge) {
      try store.write(
        .editList(.id(drawer)) { (details) throws(InventoryError) in
          var details = details
          details.title = "Box"
          return details
        })
    }
    #expect(try store.write(merge).counts == TransferCounts(updated: 2))
  }

  @Test func `is refused if a row of the file has been deleted, or a list above all of it`() throws
  {
    let merge = try merge()
    try expectRefusal(of: merge) {
      try store.write(.deleteRow(RowID(drill), kind: .item, isRecursive: false))
    }
    let outer = try store.addList("House")
    try store.write(.restore(RowID(drill), into: nil, nil))
    try store.write(.relocate(RowID(shelf), into: .id(outer), .last))
    try expectRefusal(of: merge) {
      try store.write(.deleteRow(RowID(outer), kind: .list, isRecursive: true))
    }
  }

  @Test func `is good while only other rows are edited, moved and reordered`() throws {
    let other = try store.addThing("Lamp")
    let merge = try merge()
    let made = try store.write(
      merge,
      plannedBefore: {
        try edit(other) { $0.name = "Torch" }
        try store.write(.reorder(.id(shelf), .sorted(SortOrder(key: .title))))
        try store.addThing("Axe", to: .id(shelf))
      })
    #expect(try made.get().counts == TransferCounts(updated: 1))
  }

  @Test func `of a table is good while other fields are edited, and keeps them`() throws {
    let table = table(line(id: saw, name: "Axe"))
    let made = try store.write(
      table,
      plannedBefore: {
        try edit(drill) { $0.notes = "loud" }
        try edit(saw) { $0.notes = "blunt" }
      })
    #expect(try made.get().counts == TransferCounts(updated: 1))
    let details = try store.read { [saw] (snapshot) throws(InventoryError) in
      try snapshot.item(saw).details
    }
    #expect(details.name == "Axe")
    #expect(details.notes == "blunt")
  }

  @Test func `that is out of date again and again ends as contended`() throws {
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let seen = Mutex<Set<[UInt8]>>([])
    let shelf = shelf
    // Runs in the writer's transaction whenever it takes something.
    @Sendable func look(_ inner: DatabaseStore) {
      let work = PendingWrite.Work.task { (db) throws(StorageError) in
        let staged = try db.sql("SELECT id FROM staging").one { $0.bytesOrNil(0) } ?? nil
        guard let staged, seen.withLock({ $0.insert(staged).inserted }) else { return 0 }
        let item = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Other"))
        inner.submit(
          .createItem(item, in: .id(shelf), .first),
          WriteContext(caller: .local, requestID: "other")
        ) { _ in }
        return 0
      }
      inner.push(work, isOptional: false) { result in
        if case .success = result, !isDone.isFulfilled { look(inner) }
      }
    }
    look(store.store)
    let lines = (0..<900).map { line(name: "Thing \($0)", line: $0 + 2) }
    store.store.submit(
      .upsertItems(lines, in: .id(shelf)), WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    #expect(isDone.value == .failure(.contended))
    #expect(seen.withLock { $0.count } == 8)
  }
}
