import FoundationEssentials
import Inventory
import SQL

/// The part of an inventory that one caller sees. All ids in requests are looked up here.
///
/// Authorization follows the parents of a row up to the caller's root. The same walk finds out what is in the trash.
struct Access {
  let db: Connection
  let caller: Caller
  let inventory: InventoryKey
  /// The key of the list that the caller sees as root.
  let root: RowKey
  let inventoryRoot: RowKey
  let revision: Revision
  let historyStart: Revision
  /// The inventory's own limit; nil if only the server's applies.
  let ownDepthLimit: DepthLimit?
  /// The lower one of the inventory's and the server's limit.
  let depthLimit: DepthLimit
  /// Caches the chains of parents of rows. Call its `forget(movingRow:hasLists:)` before or after moving a row.
  let ancestors: AncestorCache
  /// Caches since which revisions the caller has seen rows. Call its `forget()` after moving a row.
  let past = PastSight.Memory()
  /// Whether a lookup may give a purged row a new id, so that its old id is free. Only the writer can do that.
  var isWriting = true

  init(_ caller: Caller, in db: Connection) throws(StorageError) {
    let columns: StaticString = """
      SELECT key, root, revision, history_start, depth_limit FROM inventory
      """
    let select =
      if let id = caller.inventory {
        try db.sql(columns, "WHERE id = ?1").bind(id)
      } else {
        try db.sql(columns, "WHERE hidden = 0 ORDER BY coalesce(stands_for, key) LIMIT 1")
      }
    let found = try select.one {
      (
        $0.key(0) as InventoryKey, $0.key(1) as RowKey, Revision($0.version(2)),
        Revision($0.version(3)), $0.int64OrNil(4).flatMap { DepthLimit(level: Int(clamping: $0)) }
      )
    }
    guard let found else { throw .refused(.notFound(.inventory)) }
    self.db = db
    self.caller = caller
    (inventory, inventoryRoot, revision, historyStart, ownDepthLimit) = found
    depthLimit = (db.tree?.tree.depthLimit ?? .standard).lowered(to: ownDepthLimit)
    let whole = AncestorCache(to: inventoryRoot, inventoryRoot: inventoryRoot, in: db)
    guard let id = caller.root else {
      root = inventoryRoot
      ancestors = whole
      return
    }
    let key = try db.sql("SELECT key FROM row WHERE inventory = ?1 AND id = ?2 AND kind = 0")
      .bind(inventory).bind(id).one { $0.key(0) as RowKey }
    // A caller whose own root is in the trash sees nothing.
    guard let key, try whole.isLive(key) else { throw .refused(.notFound(.list)) }
    root = key
    ancestors = AncestorCache(to: root, inventoryRoot: inventoryRoot, in: db)
  }

  func list(_ reference: ListReference) throws(StorageError) -> ListRecord {
    switch reference {
    case .root:
      return try ListRecord.read(root, in: db)
    case .id(let id):
      guard let record = try ListRecord.find(id, inventory: inventory, in: db) else {
        throw .refused(.notFound(.list))
      }
      try requireVisible(record.key, record.parent, as: .list)
      return record
    }
  }

  func item(_ id: ItemID) throws(StorageError) -> ItemRecord {
    try ItemRecord.read(try entry(RowID(id), kind: .item).key, in: db)
  }

  /// A row's kind and place, without its details.
  struct Entry {
    let key: RowKey
    let id: RowID
    /// Nil for a list.
    let kind: ItemKind?
    /// The list that contains it. For a contents list: its item. Nil for the inventory's root list and for deleted
    /// rows.
    let parent: RowKey?
    let place: TreeSlot?
    /// The key of an item's contents list.
    let contents: RowKey?

    var isList: Bool { kind == nil }
    /// Whether it is a list, or has one below it.
    var hasLists: Bool { isList || contents != nil }

    fileprivate static let columns: StaticString = """
      SELECT row.key, id, parent, coalesce(arranged_row.leaf, row.leaf),
        coalesce(arranged_row.pos, row.pos), kind, contents
      FROM row LEFT JOIN list ON list.key = parent
      LEFT JOIN arranged_row ON arranged_row.arrangement = list.arrangement
        AND arranged_row.row = row.key
      """

    fileprivate init(_ row: Statement) {
      key = row.key(0)
      id = RowID(row.uuid(1))
      parent = row.keyOrNil(2)
      place = row.int64OrNil(3).map { TreeSlot(leaf: $0, pos: row.int64(4)) }
      kind = row.itemKind(5)
      contents = row.keyOrNil(6)
    }
  }

  func entry(_ id: RowID, kind: RowKind = .any) throws(StorageError) -> Entry {
    let subject: InventoryError.Subject =
      switch kind {
      case .any: .row
      case .list: .list
      case .item: .item
      }
    guard let entry = try find(id), kind == .any || entry.isList == (kind == .list) else {
      throw .refused(.notFound(subject))
    }
    try requireVisible(entry.key, entry.parent, as: subject)
    return entry
  }

  /// Finds a row without checking whether the caller may see it.
  func find(_ id: RowID) throws(StorageError) -> Entry? {
    try db.sql(Entry.columns, "WHERE inventory = ?1 AND id = ?2").bind(inventory).bind(id).one(
      Entry.init)
  }

  /// The row that had an id when `newest` was the highest key. Nil if it has been purged: another row may have its id.
  func find(_ id: RowID, upTo newest: RowKey) throws(StorageError) -> Entry? {
    guard let entry = try find(id), entry.key <= newest else { return nil }
    return entry
  }

  var log: ChangeLog { ChangeLog(db: db, inventory: inventory) }

  /// Throws `notFound` or `historyGone` unless the log has the change.
  func requireLogged(_ change: Revision) throws(StorageError) {
    guard change > Revision(0), change <= revision else { throw .refused(.notFound(.change)) }
    guard change > historyStart else { throw .refused(.historyGone(now: revision)) }
  }

  /// The highest key of any row when a change was made. Nil if an older version of Rowhouse has logged the change, or
  /// the log does not have it.
  func newest(at revision: Revision) throws(StorageError) -> RowKey? {
    try db.sql("SELECT newest FROM change WHERE inventory = ?1 AND revision = ?2")
      .bind(inventory).bind(revision.number).one { $0.keyOrNil(0) } ?? nil
  }

  /// The row with a key. Does not check whether the caller may see it. Throws `broken` if there is no such row.
  func entry(_ key: RowKey) throws(StorageError) -> Entry {
    let entry = try db.sql(Entry.columns, "WHERE row.key = ?1").bind(key).one(Entry.init)
    guard let entry else { throw .broken("row \(key) is gone") }
    return entry
  }

  typealias Visibility = AncestorCache.Visibility

  /// What the caller may see of a row.
  ///
  /// For a caller who sees only one list, a row that was deleted before its list came into the caller's sight is
  /// `outside`. So is a deleted row whose list has been purged: nothing records where that list was.
  func visibility(_ key: RowKey, _ parent: RowKey?) throws(StorageError) -> Visibility {
    var past = PastSight(self, bound: db.walkBound, rowBound: db.walkBound)
    return try visibility(key, parent, &past)
  }

  /// What the caller may see of one of several rows. `past` keeps what has been read of the log for all of them.
  func visibility(
    _ key: RowKey, _ parent: RowKey?, _ past: inout PastSight
  ) throws(StorageError) -> Visibility {
    let found = try ancestors.visibility(key, parent)
    guard case .inTrash(let top) = found, root != inventoryRoot else { return found }
    let deletion = try db.sql("SELECT list, revision, rehomed FROM trash WHERE row = ?1").bind(top)
      .one { ($0.key(0) as RowKey, Revision($0.int64(1)), $0.bool(2)) }
    guard let (list, revision, isRehomed) = deletion else {
      throw .broken("row \(top) is not in the trash")
    }
    guard !isRehomed, try past.saw(list, at: revision) else { return .outside }
    return found
  }

  /// What the caller may see of the row with a key. If the row is gone, the result is `purged`.
  func visibility(of key: RowKey) throws(StorageError) -> Visibility {
    let parent = try db.sql("SELECT parent FROM row WHERE key = ?1").bind(key)
      .one { $0.keyOrNil(0) as RowKey? }
    guard let parent else { return .purged }
    return try visibility(key, parent)
  }

  /// Throws `notFound` or `inTrash` unless the chain of parents reaches the caller's root.
  func requireVisible(
    _ key: RowKey, _ parent: RowKey?, as subject: InventoryError.Subject
  ) throws(StorageError) {
    switch try visibility(key, parent) {
    case .live: break
    case .inTrash(let top): throw .refused(.inTrash(top: RowID(try id(of: top))))
    case .purged, .outside, .arriving: throw .refused(.notFound(subject))
    }
  }

  func inventoryID() throws(StorageError) -> InventoryID {
    let id = try db.sql("SELECT id FROM inventory WHERE key = ?1").bind(inventory).one {
      InventoryID($0.uuid(0))
    }
    guard let id else { throw .broken("inventory \(inventory) is gone") }
    return id
  }

  func id(of key: RowKey) throws(StorageError) -> UUID {
    guard
      let id = try db.sql("SELECT id FROM row WHERE key = ?1").bind(key).one({ $0.uuid(0) })
    else { throw .broken("row \(key) is gone") }
    return id
  }

  /// The path from the caller's root to a list or an item that the caller may see.
  func path(to key: RowKey) throws(StorageError) -> [PathStep] {
    var steps: [PathStep] = []
    var next: RowKey? = key
    while let key = next {
      guard steps.count <= db.walkBound else { throw .refused(.boundExceeded) }
      let (step, parent) = try db.stepAndParent(of: key)
      steps.append(step)
      next = key == root ? nil : parent
    }
    steps.reverse()
    return steps
  }

  /// The level of a list or an item. The caller's root is on level 1.
  func level(of key: RowKey) throws(StorageError) -> Int {
    try levelInInventory(of: key) - levelInInventory(of: root) + 1
  }

  /// The level of a list or an item. The inventory's root list is on level 1.
  func levelInInventory(of key: RowKey) throws(StorageError) -> Int {
    guard let level = try ancestors.level(of: key, below: inventoryRoot) else {
      throw .broken("row \(key) is below no root")
    }
    return level
  }
}

/// Finds rows and photos by id. A purged row that still waits for its deletion loses its id when a write asks for it.
extension Access {
  /// The row that has an id. Nil if there is none. Nil also for a purged row, which loses the id if this is a write.
  func taken(_ id: RowID) throws(StorageError) -> Entry? {
    guard let entry = try find(id) else { return nil }
    guard try visibility(entry.key, entry.parent) == .purged else { return entry }
    guard isWriting else { return nil }
    try db.sql("UPDATE row SET id = ?2 WHERE key = ?1").bind(entry.key)
      .bind(RowID(.version7())).perform()
    return nil
  }

  /// The photo that has an id: the key of its item, and whether the item shows it. It does not show a photo that was
  /// removed or is still arriving.
  func taken(_ id: PhotoID) throws(StorageError) -> (item: RowKey, isInPlace: Bool)? {
    let found = try db.sql("SELECT item, state FROM photo WHERE inventory = ?1 AND id = ?2")
      .bind(inventory).bind(id).one {
        ($0.key(0) as RowKey, PhotoRecord.State(rawValue: $0.int64(1)))
      }
    guard let (item, state) = found else { return nil }
    // An arriving photo may have no item yet.
    guard state != .arriving, try visibility(of: item) == .purged else {
      return (item, state == .shown)
    }
    guard isWriting else { return nil }
    // Discards all photos of the item, as its deletion does.
    try db.sql(
      "UPDATE photo SET state = 3, place = NULL, id = randomblob(16) WHERE item = ?1"
    ).bind(item).perform()
    try db.sql("UPDATE row SET photo = NULL WHERE key = ?1").bind(item).perform()
    return nil
  }
}
