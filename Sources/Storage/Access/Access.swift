import FoundationEssentials
import Inventory
import SQLite

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
  /// Call `forget` on it after moving a row.
  let ancestors: AncestorCache
  /// Whether a lookup may give a purged row a new id, so that its old id is free. Only the writer can do that.
  var isWriting = true

  init(_ caller: Caller, in db: Connection) throws(StorageError) {
    let select: Statement
    if let id = caller.inventory {
      select = try db.sql(
        "SELECT key, root, revision, history_start, depth_limit FROM inventory WHERE id = ?1"
      ).bind(id)
    } else {
      select = try db.sql(
        """
        SELECT key, root, revision, history_start, depth_limit FROM inventory
        WHERE hidden = 0 ORDER BY coalesce(stands_for, key) LIMIT 1
        """)
    }
    guard
      let found = try select.one({
        (
          key: $0.key(0) as InventoryKey, root: $0.key(1) as RowKey, revision: $0.version(2),
          start: $0.version(3),
          depthLimit: $0.int64OrNil(4)
        )
      })
    else { throw .refused(.notFound(.inventory)) }
    self.db = db
    self.caller = caller
    inventory = found.key
    inventoryRoot = found.root
    revision = Revision(found.revision)
    historyStart = Revision(found.start)
    ownDepthLimit = found.depthLimit.flatMap { DepthLimit(level: Int(clamping: $0)) }
    depthLimit = (db.tree?.tree.depthLimit ?? .standard).lowered(to: ownDepthLimit)
    guard let id = caller.root else {
      root = found.root
      ancestors = AncestorCache(to: root, inventoryRoot: found.root, in: db)
      return
    }
    let key = try db.sql("SELECT key FROM row WHERE inventory = ?1 AND id = ?2 AND kind = 0")
      .bind(found.key).bind(id).one { $0.key(0) as RowKey }
    // A caller whose own root is in the trash sees nothing.
    let whole = AncestorCache(to: found.root, inventoryRoot: found.root, in: db)
    guard let key, try whole.isLive(key) else { throw .refused(.notFound(.list)) }
    root = key
    ancestors = AncestorCache(to: root, inventoryRoot: found.root, in: db)
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
    /// The list that contains it. For a contents list: its item. Nil for the inventory's root list.
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

  /// The row with a key. It must be in a list that the caller may see.
  func entry(_ key: RowKey) throws(StorageError) -> Entry {
    let entry = try db.sql(Entry.columns, "WHERE row.key = ?1").bind(key).one(Entry.init)
    guard let entry else { throw .broken("row \(key) is gone") }
    return entry
  }

  typealias Visibility = AncestorCache.Visibility

  /// What the caller may see of a row. A row that was deleted before its list came into the caller's sight stays
  /// outside. So does one whose list is purged, because nothing tells any more where that list was.
  func visibility(_ key: RowKey, _ parent: RowKey?) throws(StorageError) -> Visibility {
    let bound = db.tree?.bound ?? .max
    var past = PastSight(self, bound: bound, rowBound: bound)
    return try visibility(key, parent, &past)
  }

  /// The same for several rows, with what has been read of the past.
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

  /// The same for a key whose row may be gone.
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
    let bound = db.tree?.bound ?? .max
    while let key = next {
      guard steps.count <= bound else { throw .refused(.boundExceeded) }
      var parent: RowKey?
      guard
        let step = try db.sql("SELECT id, title, kind, parent FROM row WHERE key = ?1")
          .bind(key).one({ row in
            parent = row.keyOrNil(3)
            return PathStep(
              id: RowID(row.uuid(0)), title: row.string(1), isList: row.isList(2))
          })
      else { throw .broken("row \(key) is gone") }
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

  /// The same with the inventory's root list on level 1.
  func levelInInventory(of key: RowKey) throws(StorageError) -> Int {
    guard let level = try ancestors.level(of: key, below: inventoryRoot) else {
      throw .broken("row \(key) is below no root")
    }
    return level
  }
}
