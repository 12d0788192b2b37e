import Glibc
import Inventory
import SQLite
import Storage
import Testing

@Suite struct `Invariant check` {
  static let shape = TreeShape(fanOut: 4, gap: 4)

  /// Ways to damage a database that no write of the store's would.
  static let damages: [(String, String)] = [
    ("a leaf that counts wrong", "UPDATE node SET count = count + 1 WHERE id = 0"),
    ("a list that counts wrong", "UPDATE list SET row_count = row_count + 1"),
    ("a total that is not the sum", "UPDATE list SET total_low = total_low + 1"),
    ("a row in a leaf that is none", "UPDATE row SET leaf = 999 WHERE kind = 1 AND leaf = 0"),
    (
      "a row neither placed nor in the trash",
      "UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE kind = 1 AND leaf = 0"
    ),
    ("a missing change", "DELETE FROM change WHERE revision = 3"),
    ("a revision yet to come", "UPDATE row SET revision = 1000000 WHERE kind = 1"),
    (
      "a list's revision yet to come",
      "UPDATE list SET revision = 1000000 WHERE key = (SELECT max(key) FROM list)"
    ),
    ("a wrong number of items", "UPDATE inventory SET item_count = item_count - 1"),
    ("a node on nothing", "INSERT INTO node VALUES (1, 777, 0, 778, 1)"),
    (
      "lists that stand in each other",
      """
      UPDATE row SET parent = (SELECT key FROM row WHERE title = 'inner'), leaf = 0, pos = 0
      WHERE title = 'outer'
      """
    ),
    ("a navigator on no tab of its own", "UPDATE navigator SET selected_tab = 'other'"),
    ("a navigator without tabs", "DELETE FROM navigator_tab"),
    ("a tab without screens", "DELETE FROM navigator_screen WHERE tab = 1"),
    ("a hole in a stack", "DELETE FROM navigator_screen WHERE tab = 0 AND place = 1"),
    ("screens of no tab", "UPDATE navigator_screen SET tab = 9 WHERE tab = 0"),
    (
      "a photo that its row does not show",
      """
      INSERT INTO photo (inventory, id, item, state, place, type, created_at)
      SELECT inventory, randomblob(16), key, 1, 0, 'png', 0 FROM row WHERE kind = 1 LIMIT 1
      """
    ),
    ("a row that shows a photo it has not", "UPDATE row SET photo = id WHERE kind = 1"),
    (
      "a photo without its bytes",
      """
      UPDATE row SET photo = id WHERE key = 3;
      INSERT INTO photo (inventory, id, item, state, place, type, size, created_at)
      SELECT inventory, id, key, 1, 0, 'png', 5, 0 FROM row WHERE photo IS NOT NULL
      """
    ),
    (
      "words that the index does not have",
      "INSERT INTO search (search, rowid, title) SELECT 'delete', key, title FROM row WHERE key = 3"
    ),
    ("an index that is behind", "INSERT INTO search_backlog (key) VALUES (3)"),
    (
      "an index that has what its table has not",
      """
      UPDATE row SET serial_number = 'X' WHERE title = 'thing 3';
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'row_by_serial_number';
      DELETE FROM sqlite_schema WHERE name = 'row_by_serial_number';
      PRAGMA writable_schema = RESET;
      UPDATE row SET serial_number = NULL WHERE title = 'thing 3';
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema SELECT * FROM temp.kept;
      DELETE FROM search_backlog
      """
    ),
    ("a list without a record", "UPDATE row SET kind = 0 WHERE kind = 1 AND leaf = 0"),
  ]

  /// Copies the store's database to a file that is closed, runs the SQL on it, and checks it.
  private func findings(after sql: String?) throws -> [String] {
    let store = try OpenStore(shape: Self.shape)
    let outer = try store.addList("outer")
    for number in 0..<40 { try store.addThing("thing \(number)") }
    try store.addList("inner", to: .id(outer))
    // Its key is that of the list outer, which has a higher revision than all of it.
    try store.addInventory("second")
    try store.addNavigator(showing: outer)
    let path = store.store.path + ".copy"
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) } }
    try store.connection().backup(to: path, pagesPerStep: 100) { _, _ in true }
    if let sql {
      let db = try Connection(path: path, mode: .readWrite)
      try db.execute("PRAGMA foreign_keys = OFF; \(sql)")
    }
    return try Database.check(path: path, shape: Self.shape)
  }

  @Test func `a sound database has no findings`() throws {
    #expect(try findings(after: nil) == [])
  }

  @Test(arguments: damages.indices)
  func `damage is found`(_ index: Int) throws {
    let (what, sql) = Self.damages[index]
    let found = try findings(after: sql)
    #expect(!found.isEmpty, "\(what) went unnoticed")
  }
}
