import Inventory
import SQL

/// A list as stored in the tables, with its tree. A root and a contents list have no place.
struct ListRecord {
  let key: RowKey
  let id: ListID
  /// The list that contains it, or the item whose contents it is.
  var parent: RowKey?
  var place: TreeSlot?
  var details: ListDetails
  var tree: OrderTree
  var total: TotalCents
  /// The revision of the last change that modified or added it.
  var revision: Revision
  var createdAt: Timestamp
  var updatedAt: Timestamp
  /// The revision of the import that added it in steps; nil for other lists. The list did not exist before.
  var arrival: Revision?

  var summary: ListSummary {
    ListSummary(id, details, rowCount: tree.count, total: total)
  }
}

extension ListRecord {
  /// Throws `broken` if there is no list with this key.
  static func read(_ key: RowKey, in db: Connection) throws(StorageError) -> ListRecord {
    guard let record = try find(key: key, in: db) else { throw .broken("list \(key) is gone") }
    return record
  }

  private static let columns: StaticString = """
    SELECT row.key, id, parent, coalesce(arranged_row.leaf, row.leaf),
      coalesce(arranged_row.pos, row.pos), title, created_at, list.row_count, list.total_high,
      list.total_low, list.revision, list.updated_at, list.root, list.height, list.next_node,
      list.item_kind, list.permissions, list.sentinel_visible, list.sentinel_text,
      list.delete_label, list.arrangement,
      (SELECT arrival.revision FROM arrival WHERE top = list.arrival), list.glyph, list.colour
    FROM row JOIN list ON list.key = row.key
    LEFT JOIN list AS above ON above.key = row.parent
    LEFT JOIN arranged_row ON arranged_row.arrangement = above.arrangement
      AND arranged_row.row = row.key
    """

  static func find(key: RowKey, in db: Connection) throws(StorageError) -> ListRecord? {
    try db.sql(columns, "WHERE row.key = ?1").bind(key).one(ListRecord.init)
  }

  static func find(
    _ id: ListID, inventory: InventoryKey, in db: Connection
  ) throws(StorageError) -> ListRecord? {
    try db.sql(columns, "WHERE row.inventory = ?1 AND row.id = ?2").bind(inventory).bind(id)
      .one(ListRecord.init)
  }

  private init(_ row: Statement) {
    key = row.key(0)
    id = ListID(row.uuid(1))
    parent = row.keyOrNil(2)
    place = row.int64OrNil(3).map { TreeSlot(leaf: $0, pos: row.int64(4)) }
    details = ListDetails(
      title: row.string(5), itemKind: AcceptedKind(code: row.int64(15)),
      permissions: Permissions(rawValue: UInt8(truncatingIfNeeded: row.int64(16))),
      sentinel: Sentinel(text: row.stringOrNil(18), isVisible: row.bool(17)),
      deleteLabel: row.stringOrNil(19), glyph: row.stringOrNil(22),
      colour: row.stringOrNil(23).flatMap(ListColour.init))
    createdAt = row.time(6)
    total = TotalCents(high: row.int64(8), low: row.int64(9))
    arrival = row.int64OrNil(21).map { Revision($0) }
    revision = max(Revision(row.version(10)), arrival ?? Revision(0))
    updatedAt = row.time(11)
    tree = OrderTree(
      list: key, root: row.int64(12), height: min(row.count(13), OrderTree.maximumHeight),
      nextNode: row.version(14),
      count: row.count(7), arrangement: row.keyOrNil(20))
  }

  /// Inserts a list without rows.
  ///
  /// - Parameters:
  ///   - placed: the revision of the change that gave it its place; 0 while it is staged.
  ///   - isStaged: whether it belongs to a staged import.
  ///   - top: the top list of that import; nil if it is the top itself.
  static func insert(
    _ id: ListID, _ details: ListDetails, inventory: InventoryKey, parent: RowKey?,
    at place: TreeSlot?,
    createdAt: Timestamp, updatedAt: Timestamp, revision: Revision,
    placed: Revision = Revision(0), isStaged: Bool = false, below top: RowKey? = nil,
    in db: Connection
  ) throws(StorageError) -> ListRecord {
    let key: RowKey = try db.sql(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, created_at, placed)
      VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8)
      """
    ).bind(inventory).bind(parent).bind(place?.leaf).bind(place?.pos).bind(id)
      .bind(details.title).bind(createdAt.seconds).bind(placed.number).insert()
    try db.sql("INSERT INTO list (key, revision, updated_at, arrival) VALUES (?1, ?2, ?3, ?4)")
      .bind(key).bind(revision.number).bind(updatedAt.seconds)
      .bind(isStaged ? top ?? key : nil).perform()
    let record = ListRecord(
      key: key, id: id, parent: parent, place: place, details: details,
      tree: OrderTree(list: key, root: 0, height: 0, nextNode: 1, count: 0), total: .zero,
      revision: revision, createdAt: createdAt, updatedAt: updatedAt)
    if details != ListDetails(title: details.title) { try record.save(in: db) }
    return record
  }

  /// Writes the title, which is stored in `row`.
  static func setTitle(_ title: String, of key: RowKey, in db: Connection) throws(StorageError) {
    try db.sql("UPDATE row SET title = ?2 WHERE key = ?1").bind(key).bind(title).perform()
  }

  /// Writes only the revision.
  static func setRevision(
    _ revision: Revision, of key: RowKey, in db: Connection
  ) throws(StorageError) {
    try db.sql("UPDATE list SET revision = ?2 WHERE key = ?1").bind(key).bind(revision.number)
      .perform()
  }

  /// Writes what the table `list` has, except the arrival. The id, the title, the parent, the place and the creation
  /// time are in `row`.
  func save(in db: Connection) throws(StorageError) {
    try db.sql(
      """
      UPDATE list SET row_count = ?2, total_high = ?3, total_low = ?4, revision = ?5,
        updated_at = ?6, root = ?7, height = ?8, next_node = ?9, item_kind = ?10,
        permissions = ?11, sentinel_visible = ?12, sentinel_text = ?13, delete_label = ?14,
        arrangement = ?15, glyph = ?16, colour = ?17
      WHERE key = ?1
      """
    ).bind(key).bind(tree.count).bind(total.high).bind(total.low).bind(revision.number)
      .bind(updatedAt.seconds).bind(tree.root).bind(tree.height).bind(tree.nextNode)
      .bind(details.itemKind.code).bind(Int64(details.permissions.rawValue))
      .bind(details.sentinel.isVisible).bind(details.sentinel.text).bind(details.deleteLabel)
      .bind(tree.arrangement).bind(details.glyph).bind(details.colour?.rawValue).perform()
  }

  /// The list as callers see it.
  ///
  /// - Parameter isRoot: whether it is the caller's root, whose parent is hidden.
  func list(isRoot: Bool, in db: Connection) throws(StorageError) -> List {
    var parentID: ListID?
    var itemID: ItemID?
    if !isRoot, let parent {
      let id = try db.sql("SELECT id FROM row WHERE key = ?1").bind(parent).one { $0.uuid(0) }
      guard let id else { throw .broken("list \(key): its parent \(parent) is gone") }
      if place == nil { itemID = ItemID(id) } else { parentID = ListID(id) }
    }
    return List(
      id: id, parentID: parentID, itemID: itemID, details: details, rowCount: tree.count,
      total: total, revision: revision, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension AcceptedKind {
  init(code: Int64) { self = code == 1 ? .thing : code == 2 ? .car : .any }

  var code: Int64 {
    switch self {
    case .any: 0
    case .thing: 1
    case .car: 2
    }
  }
}

extension TotalCents {
  init(high: Int64, low: Int64) {
    self.init(Int128(high) << 64 | Int128(UInt64(bitPattern: low)))
  }

  var high: Int64 { Int64(truncatingIfNeeded: amount >> 64) }
  var low: Int64 { Int64(truncatingIfNeeded: amount) }
}
