import Inventory
import SQL

/// The store in a connection's read transaction, as one caller may see it.
final class DatabaseSnapshot: Snapshot {
  let caller: Caller
  let db: Connection
  /// The maximum number of steps of a bounded read: lists visited, operations composed.
  let bound: Int
  /// The lists that the session knows; nil if lists must be read.
  private let lists: ListCache?
  private var found: Access?
  /// The most bytes of a bounded read; no limit for others. 96 KiB are more than 200 usual rows, and take about a
  /// millisecond.
  var mostBytes: Int { bound == .max ? .max : 96 << 10 }

  init(_ caller: Caller, in db: Connection, bound: Int = .max, lists: ListCache? = nil) {
    self.caller = caller
    self.db = db
    self.bound = bound
    self.lists = lists
  }

  func seen(by caller: Caller) -> any Snapshot {
    DatabaseSnapshot(caller, in: db, bound: bound, lists: lists)
  }

  /// The part that the caller sees. It is looked up once.
  func access() throws(StorageError) -> Access {
    if let found { return found }
    let access = try Access(caller, in: db)
    found = access
    return access
  }

  /// Makes the snapshot show the connection's present transaction.
  func renew() { found = nil }

  func revision() throws(InventoryError) -> Revision {
    try reading { (access) throws(StorageError) in access.revision }
  }

  func list(_ list: ListReference) throws(InventoryError) -> List {
    try reading { () throws(StorageError) in try shown(list).list }
  }

  private func shown(_ list: ListReference) throws(StorageError) -> VisibleList {
    if let known = lists?.find(list, for: caller) { return known }
    let access = try access()
    let record = try access.list(list)
    let shown = VisibleList(
      record: record, list: try record.list(isRoot: record.key == access.root, in: db))
    lists?.keep(shown, as: list, for: caller)
    return shown
  }

  func item(_ id: ItemID) throws(InventoryError) -> Item {
    try reading { (access) throws(StorageError) in
      let record = try access.item(id)
      guard let parent = record.parent else { throw .broken("item \(id) is in no list") }
      return record.item(in: ListID(try access.id(of: parent)))
    }
  }

  func photos(of item: ItemID) throws(InventoryError) -> [Photo] {
    try reading { (access) throws(StorageError) in
      try PhotoRecord.all(of: try access.item(item).key, in: db)
    }
  }

  func rendition(
    of photo: PhotoID, atLeast size: RenditionSize
  ) throws(InventoryError) -> Rendition? {
    try reading { (access) throws(StorageError) in
      try RenditionRecord.first(of: photo, atLeast: size, for: access)
    }
  }

  func place(of row: RowID) throws(InventoryError) -> Place {
    try reading { (access) throws(StorageError) in
      try access.place(of: try access.entry(row))
    }
  }

  func lendRows(
    of list: ListReference, _ window: PageWindow,
    begin: (List, RowIndex) throws(InventoryError) -> Bool, visit: (BorrowedRow) -> Bool
  ) throws(InventoryError) {
    try reading { () throws(StorageError) in
      let shown = try shown(list)
      let record = shown.record
      let start: Int
      switch window.start {
      case .offset(let offset): start = min(max(0, offset), record.tree.count)
      case .after(let anchor):
        guard let entry = try access().find(anchor), entry.parent == record.key,
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

  func delta(of list: ListReference, since: Revision) throws(InventoryError) -> Delta {
    try reading { (access) throws(StorageError) in
      // Rows with long texts take four times as long to read and to write as short ones.
      try DeltaReader(db: db, bound: bound, stepsOfRow: 16).delta(
        of: try access.list(list), since: since, access: access)
    }
  }

  func history() throws(InventoryError) -> ClosedRange<Revision> {
    try reading { (access) throws(StorageError) in
      return min(access.historyStart, access.revision)...access.revision
    }
  }

  func activity(since: Revision, limit: Int) throws(InventoryError) -> Activity {
    try reading { (access) throws(StorageError) in
      var reader = ActivityReader(access)
      return try reader.activity(since: since, limit: limit)
    }
  }

  func counts() throws(InventoryError) -> (lists: Int, items: Int) {
    try reading { (access) throws(StorageError) in
      guard access.root == access.inventoryRoot else {
        let totals = try totals(below: access.root)
        return (totals.listCount + 1, totals.itemCount)
      }
      return try db.sql("SELECT list_count, item_count FROM inventory WHERE key = ?1")
        .bind(access.inventory).one { (lists: $0.int(0), items: $0.int(1)) } ?? (0, 0)
    }
  }

  /// Calls the body with the part that the caller sees.
  func reading<Value>(
    _ body: (Access) throws(StorageError) -> Value
  ) throws(InventoryError) -> Value {
    try reading { () throws(StorageError) in try body(access()) }
  }

  /// Converts this target's errors to the application's.
  func reading<Value>(_ body: () throws(StorageError) -> Value) throws(InventoryError) -> Value {
    do throws(StorageError) { return try body() } catch { throw error.inventoryError }
  }
}

extension Access {
  /// The place of a row in its list, and the path to it. The caller's root is in no list.
  func place(of entry: Entry) throws(StorageError) -> Place {
    let path = try path(to: entry.key)
    guard entry.key != root, let place = entry.place, let parent = entry.parent,
      let list = try ListRecord.find(key: parent, in: db)
    else { return Place(listID: nil, index: nil, path: path) }
    let index = try list.tree.index(of: place, in: db)
    return Place(listID: list.id, index: RowIndex(index), path: path)
  }
}
