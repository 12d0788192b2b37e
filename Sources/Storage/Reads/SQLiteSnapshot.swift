import FoundationEssentials
import Inventory
import SQLite

/// The store as seen by a connection's read transaction.
struct SQLiteSnapshot: Snapshot {
  let db: Connection
  /// The maximum number of steps of a bounded read: lists visited, operations composed.
  var bound = Int.max
  /// The session whose list cache has this state; nil if lists must be read.
  var session: SQLiteSession?

  func revision(for caller: Caller) throws(InventoryError) -> Revision {
    try reading { () throws(StorageError) in try Access(caller, in: db).revision }
  }

  func list(_ list: ListReference, for caller: Caller) throws(InventoryError) -> List {
    try reading { () throws(StorageError) in try shown(list, to: caller).list }
  }

  private func shown(_ list: ListReference, to caller: Caller) throws(StorageError) -> VisibleList {
    func find() throws(StorageError) -> VisibleList {
      let access = try Access(caller, in: db)
      let record = try access.list(list)
      return VisibleList(
        record: record, list: try record.list(isRoot: record.key == access.root, in: db))
    }
    guard let session else { return try find() }
    return try session.knownList(list, for: caller, else: find)
  }

  func item(_ id: ItemID, for caller: Caller) throws(InventoryError) -> Item {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      let record = try access.item(id)
      guard let parent = record.parent else { throw .broken("item \(id) is in no list") }
      return record.item(in: ListID(try access.id(of: parent)))
    }
  }

  func photos(of item: ItemID, for caller: Caller) throws(InventoryError) -> [Photo] {
    try reading { () throws(StorageError) in
      try PhotoRecord.all(of: try Access(caller, in: db).item(item).key, in: db)
    }
  }

  func place(of row: RowID, for caller: Caller) throws(InventoryError) -> Place {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      let entry = try access.entry(row)
      let path = try access.path(to: entry.key)
      guard entry.key != access.root, let place = entry.place, let parent = entry.parent,
        let list = try ListRecord.find(key: parent, in: db)
      else { return Place(listID: nil, index: nil, path: path) }
      let index = try list.tree.index(of: place, in: db)
      return Place(listID: list.id, index: RowIndex(index), path: path)
    }
  }

  func lendRows(
    of list: ListReference, _ window: PageWindow, for caller: Caller,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (BorrowedRow) -> Bool
  ) throws(InventoryError) {
    try reading { () throws(StorageError) in
      let shown = try shown(list, to: caller)
      let record = shown.record
      let start: Int
      switch window.start {
      case .offset(let offset): start = min(max(0, offset), record.tree.count)
      case .after(let anchor):
        guard let entry = try Access(caller, in: db).find(anchor), entry.parent == record.key,
          let place = entry.place
        else { throw .refused(.anchorGone(anchor)) }
        start = try record.tree.index(of: place, in: db) + 1
      }
      do throws(InventoryError) {
        guard try begin(shown.list, RowIndex(start)) else { return }
      } catch { throw .refused(error) }
      try RowReader(db: db).rows(of: record.tree, from: start, limit: window.limit, visit)
    }
  }

  func delta(
    of list: ListReference, since: Revision, for caller: Caller
  ) throws(InventoryError) -> Delta {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      return try DeltaReader(db: db, bound: bound).delta(
        of: try access.list(list), since: since, access: access)
    }
  }

  func history(for caller: Caller) throws(InventoryError) -> ClosedRange<Revision> {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      return min(access.historyStart, access.revision)...access.revision
    }
  }

  func activity(
    since: Revision, limit: Int, for caller: Caller
  ) throws(InventoryError) -> Activity {
    try reading { () throws(StorageError) in
      var reader = ActivityReader(try Access(caller, in: db))
      return try reader.activity(since: since, limit: limit)
    }
  }

  func counts(for caller: Caller) throws(InventoryError) -> (lists: Int, items: Int) {
    try reading { () throws(StorageError) in
      let access = try Access(caller, in: db)
      guard access.root == access.inventoryRoot else {
        let totals = try totals(below: access.root)
        return (totals.listCount + 1, totals.itemCount)
      }
      return try db.sql("SELECT list_count, item_count FROM inventory WHERE key = ?1")
        .bind(access.inventory).one { (lists: $0.int(0), items: $0.int(1)) } ?? (0, 0)
    }
  }

  /// Converts this target's errors to the application's.
  func reading<Value>(_ body: () throws(StorageError) -> Value) throws(InventoryError) -> Value {
    do throws(StorageError) { return try body() } catch { throw error.inventoryError }
  }
}
