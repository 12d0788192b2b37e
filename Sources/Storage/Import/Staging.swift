import Inventory
import SQL

/// A tree that is being staged, invisible to readers, as stored in the tables.
struct Staging {
  let id: ImportID
  /// The inventory that it is for.
  let inventory: InventoryKey
  /// The list at whose end it is put; nil if it replaces the inventory.
  let list: RowKey?
  /// The inventory of its rows: the target itself, or a hidden one.
  let home: InventoryKey
  let top: RowKey
  /// The revision of its rows.
  let revision: Revision
  /// The number of levels of lists in it.
  var levels = 1

  static func find(_ id: ImportID, in db: Connection) throws(StorageError) -> Staging? {
    try db.sql("SELECT inventory, list, home, top, revision, levels FROM staging WHERE id = ?1")
      .bind(id)
      .one {
        Staging(
          id: id, inventory: $0.key(0), list: $0.keyOrNil(1), home: $0.key(2),
          top: $0.key(3), revision: Revision($0.int64(4)), levels: $0.int(5))
      }
  }

  static func count(in db: Connection) throws(StorageError) -> Int {
    try db.sql("SELECT count(*) FROM staging").one { $0.int(0) } ?? 0
  }

  /// Begins with the top of the tree.
  static func begin(
    _ id: ImportID, with top: TransferredList, for inventory: InventoryKey, list: RowKey?,
    home: InventoryKey, revision: Revision, in db: Connection
  ) throws(StorageError) -> Staging {
    let record = try ListRecord.insert(
      top.id, top.details, inventory: home, parent: nil, at: nil, createdAt: top.createdAt,
      updatedAt: top.updatedAt, revision: revision, isStaged: true, in: db)
    try InventoryRecord.count(lists: 1, in: home, db)
    try db.sql(
      """
      INSERT INTO staging (id, inventory, list, home, top, revision)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    ).bind(id).bind(inventory).bind(list).bind(home).bind(record.key).bind(revision.number)
      .perform()
    return Staging(
      id: id, inventory: inventory, list: list, home: home, top: record.key, revision: revision)
  }

  /// Stores the number of levels of lists in it.
  func save(levels: Int, in db: Connection) throws(StorageError) {
    guard levels > self.levels else { return }
    try db.sql("UPDATE staging SET levels = ?2 WHERE id = ?1").bind(id).bind(levels).perform()
  }

  func remove(in db: Connection) throws(StorageError) {
    try db.sql("DELETE FROM staging WHERE id = ?1").bind(id).perform()
  }

  /// Gives all its lists the revision that puts them in place.
  func arrive(at revision: Revision, in db: Connection) throws(StorageError) {
    try db.sql("INSERT INTO arrival (top, inventory, revision) VALUES (?1, ?2, ?3)")
      .bind(top).bind(home).bind(revision.number).perform()
  }

  /// Abandons the tree. Chores delete its rows later.
  func abandon(in db: Connection) throws(StorageError) {
    try remove(in: db)
    // A hidden inventory is deleted as a whole.
    guard list != nil else { return }
    // The root is its home, because the list may be gone by now.
    let root: RowKey? = try db.sql("SELECT root FROM inventory WHERE key = ?1").bind(inventory)
      .one { $0.key(0) }
    guard let root else { throw .broken("inventory \(inventory) is gone") }
    try PurgeQueue.add(top, home: root, in: db)
  }

  /// The ids of all that is being staged for an inventory, or for any if it is nil.
  static func all(
    for inventory: InventoryKey?, in db: Connection
  ) throws(StorageError) -> [ImportID] {
    try db.sql("SELECT id FROM staging WHERE CAST(?1 AS BIGINT) IS NULL OR inventory = ?1")
      .bind(inventory)
      .all { ImportID($0.uuid(0)) }
  }

  /// Abandons those that are still being staged.
  static func abandon(_ all: [ImportID], in db: Connection) throws(StorageError) {
    for id in all { try find(id, in: db)?.abandon(in: db) }
  }
}
