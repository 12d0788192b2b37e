import Foundation

/// All that a store keeps on disk: a folder with a SQLite file and the photos that wait to be sent.
final class OfflineFile {
  let database: OfflineDatabase
  let folder: URL

  /// Opens the folder, or makes it. Other stores cannot open it until this value is released.
  init(at folder: URL) throws(OfflineError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        at: Self.photos(in: folder), withIntermediateDirectories: true)
      database = try OfflineDatabase(path: folder.appendingPathComponent("store.sqlite").path)
      // A commit is on disk when it returns: https://www.sqlite.org/pragma.html#pragma_synchronous
      try database.execute(
        "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
      try migrate()
    } catch { throw OfflineError(error) }
  }

  private static let version = 1

  private func migrate() throws(OfflineDatabase.Failure) {
    var version = 0
    try database.run("PRAGMA user_version") { version = $0.int(0) }
    guard version != Self.version else { return }
    guard version == 0 else {
      throw OfflineDatabase.Failure(code: 0, message: "A newer version has written this store.")
    }
    try database.transaction { () throws(OfflineDatabase.Failure) in
      try database.execute(
        """
        CREATE TABLE property (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE list (id BLOB PRIMARY KEY, fields TEXT NOT NULL, rows BLOB NOT NULL);
        \(Self.rowTable)
        CREATE TABLE item (id BLOB PRIMARY KEY, fields TEXT NOT NULL);
        CREATE TABLE command (
          id INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL, date INTEGER NOT NULL,
          title TEXT NOT NULL, sequence INTEGER, revision INTEGER
        );
        CREATE TABLE photo (
          number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, item TEXT NOT NULL,
          behind INTEGER NOT NULL, date INTEGER NOT NULL
        );
        CREATE TABLE notice (
          id INTEGER PRIMARY KEY, content TEXT NOT NULL, isDismissed INTEGER NOT NULL
        );
        PRAGMA user_version = \(Self.version);
        """)
    }
  }

  /// Deletes everything. The value must not be used afterwards.
  func erase() throws(OfflineError) {
    do {
      // Open connections keep the files' bytes, so these are removed first.
      try database.execute(
        """
        PRAGMA secure_delete=ON;
        DELETE FROM row; DELETE FROM list; DELETE FROM item; DELETE FROM command;
        DELETE FROM photo; DELETE FROM notice; DELETE FROM property;
        PRAGMA wal_checkpoint(TRUNCATE);
        """)
      try FileManager.default.removeItem(at: folder)
    } catch { throw OfflineError(error) }
  }

  // MARK: Properties

  /// `token` is the id of the token that the last connection used; empty for none.
  enum Property: String {
    case server, inventory, root, token, client, sequence, revision, rowsKept, unread
  }

  func property(_ name: Property) throws(OfflineDatabase.Failure) -> String? {
    var value: String?
    try database.run("SELECT value FROM property WHERE name = ?1", [.text(name.rawValue)]) {
      value = $0.text(0)
    }
    return value
  }

  func set(_ name: Property, to value: String) throws(OfflineDatabase.Failure) {
    try database.run(
      "INSERT OR REPLACE INTO property VALUES (?1, ?2)", [.text(name.rawValue), .text(value)])
  }

  // MARK: Base

  /// The base without its rows' contents.
  func base() throws(OfflineDatabase.Failure) -> OfflineTree {
    var tree = OfflineTree()
    tree.root = try property(.root).map { RowKey($0) }
    var isReadable = true
    try database.run("SELECT id, fields, rows FROM list") { columns in
      guard let key = columns.key(0), let list = Self.decoded(columns.text(1), Rowhouse.List.self)
      else { return isReadable = false }
      let order = columns.keys(2)
      tree.nodes[key] = OfflineTree.Node(list: list, order: order)
      tree.holders.reserveCapacity(tree.holders.count + order.count)
      for row in order { tree.holders[row] = key }
    }
    try database.run("SELECT id, fields FROM item") { columns in
      guard let key = columns.key(0), let item = Self.decoded(columns.text(1), Item.self)
      else { return isReadable = false }
      tree.items[key] = item
    }
    guard isReadable else { throw Self.unreadable }
    return tree
  }

  /// Writes a list's own fields and its order. Nil removes it.
  func write(_ node: OfflineTree.Node?, as key: RowKey) throws(OfflineDatabase.Failure) {
    guard let node else {
      try removeRows(of: key)
      return try database.run("DELETE FROM list WHERE id = ?1", [OfflineValue(key)])
    }
    try database.run(
      "INSERT OR REPLACE INTO list VALUES (?1, ?2, ?3)",
      [
        OfflineValue(key), .text(try Self.encoded(node.list)),
        .bytes(node.order.withUnsafeBytes { Data($0) }),
      ])
  }

  /// Writes an item. Nil removes it.
  func write(_ item: Item?, as key: RowKey) throws(OfflineDatabase.Failure) {
    guard let item else {
      return try database.run("DELETE FROM item WHERE id = ?1", [OfflineValue(key)])
    }
    try database.run(
      "INSERT OR REPLACE INTO item VALUES (?1, ?2)",
      [OfflineValue(key), .text(try Self.encoded(item))])
  }

  // MARK: JSON

  static let unreadable = OfflineDatabase.Failure(code: 0, message: "The store cannot be read.")

  static func encoded(_ value: some Encodable) throws(OfflineDatabase.Failure) -> String {
    do { return String(decoding: try JSONCoding.encoder.encode(value), as: UTF8.self) } catch {
      throw unreadable
    }
  }

  static func decoded<Value: Decodable>(_ text: String, _ type: Value.Type) -> Value? {
    try? JSONCoding.decoder.decode(type, from: Data(text.utf8))
  }
}
