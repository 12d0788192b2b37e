import Glibc
import Inventory
import SQL
import Storage
import Testing

@Suite struct `Invariant check` {
  static let shape = TreeShape(fanOut: 4, gap: 4)

  /// Ways to damage a database that no write of the store's would.
  static let damages: [(what: String, sql: String, finding: String)] = [
    (
      "a leaf that counts wrong", "UPDATE node SET count = count + 1 WHERE id = 0",
      "list 1: the stored count of leaf 0 is 4, but it has 3 rows"
    ),
    (
      "a list that counts wrong", "UPDATE list SET row_count = row_count + 1",
      "list 1: the stored count of node 18 is 42, but it has 41 rows"
    ),
    (
      "a total that is not the sum", "UPDATE list SET total_low = total_low + 1",
      "list 1: its stored total is 1 cents, but its items have 0"
    ),
    (
      "a row in a leaf that is none", "UPDATE row SET leaf = 999 WHERE kind = 1 AND leaf = 0",
      "list 1: rows are in leaves that do not exist: [999]"
    ),
    (
      "a row neither placed nor in the trash",
      "UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE kind = 1 AND leaf = 0",
      "row 3: it is not in a list, not in the trash, and not purged"
    ),
    (
      "a missing change", "DELETE FROM change WHERE revision = 3",
      "inventory 1: 41 changes are logged for revisions 1 to 42"
    ),
    (
      "a revision yet to come", "UPDATE row SET revision = 1000000 WHERE kind = 1",
      "row 3: its revision 1000000 is higher than its inventory's"
    ),
    (
      "a list's revision yet to come",
      "UPDATE list SET revision = 1000000 WHERE key = (SELECT max(key) FROM list)",
      "row 44: its revision 1000000 is higher than its inventory's"
    ),
    (
      "a wrong number of items", "UPDATE inventory SET item_count = item_count - 1",
      "inventory 1: the stored counts are 3 lists and 39 items, but there are 3 and 40"
    ),
    (
      "a node on nothing", "INSERT INTO node VALUES (1, 777, 0, 778, 1)",
      "list 1: 1 of its nodes have no parent"
    ),
    (
      "lists that contain each other",
      """
      UPDATE row SET parent = (SELECT key FROM row WHERE title = 'inner'), leaf = 0, pos = 0
      WHERE title = 'outer'
      """, "list 2: it is inside itself"
    ),
    (
      "a navigator on no tab of its own", "UPDATE navigator SET selected_tab = 'other'",
      "navigator 1: its tabs are not numbered without gaps, or none of them is selected"
    ),
    (
      "a navigator without tabs", "DELETE FROM navigator_tab",
      "navigator 1: its tabs are not numbered without gaps, or none of them is selected"
    ),
    (
      "a tab without screens", "DELETE FROM navigator_screen WHERE tab = 1",
      "navigator 1: the stack of tab 1 is empty, or not numbered without gaps"
    ),
    (
      "a hole in a stack", "DELETE FROM navigator_screen WHERE tab = 0 AND place = 1",
      "navigator 1: the stack of tab 0 is empty, or not numbered without gaps"
    ),
    (
      "screens of no tab", "UPDATE navigator_screen SET tab = 9 WHERE tab = 0",
      "navigator 1: it has screens of a tab that does not exist"
    ),
    (
      "a photo that its row does not show",
      """
      INSERT INTO photo (inventory, id, item, state, place, type, created_at)
      SELECT inventory, randomblob(16), key, 1, 0, 'png', 0 FROM row WHERE kind = 1 LIMIT 1
      """, "row 3: its stored first photo is wrong"
    ),
    (
      "a row that shows a photo it has not", "UPDATE row SET photo = id WHERE kind = 1",
      "row 3: its stored first photo is wrong"
    ),
    (
      "a photo without its bytes",
      """
      UPDATE row SET photo = id WHERE key = 3;
      INSERT INTO photo (inventory, id, item, state, place, type, size, created_at)
      SELECT inventory, id, key, 1, 0, 'png', 5, 0 FROM row WHERE photo IS NOT NULL
      """, "photo 1: 0 of its 5 bytes are stored, in 1 pieces"
    ),
    (
      "a rendition that is too large",
      """
      INSERT INTO photo (inventory, id, item, state, created_at)
      SELECT inventory, randomblob(16), key, 3, 0 FROM row WHERE kind = 1 LIMIT 1;
      INSERT INTO photo_rendition VALUES (1, 96, 'webp', 96, 96, zeroblob(16385))
      """, "photo 1: its rendition 96 has 16385 bytes"
    ),
    (
      "words that the index does not have",
      "INSERT INTO search (search, rowid, title) SELECT 'delete', key, title FROM scoped WHERE key = 3",
      "search: the index and the rows disagree"
    ),
    (
      "an index that was given another text to forget",
      "INSERT INTO search_backlog (key) VALUES (3)",
      "search: the index and the rows disagree"
    ),
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
      """, "file: wrong # of entries in index row_by_serial_number"
    ),
    (
      "a list without a record", "UPDATE row SET kind = 0 WHERE kind = 1 AND leaf = 0",
      "row 3: it is a list without a list record, or the reverse"
    ),
    (
      "a log's size that is not the sum", "UPDATE inventory SET history_size = history_size + 1",
      "inventory 1: the stored size of its log is 8635 bytes, but its changes have 8634"
    ),
    (
      "an inventory without a root", "UPDATE inventory SET root = 777 WHERE key = 1",
      "inventory 1: it has no root list"
    ),
    (
      "a contents list that is elsewhere", "UPDATE row SET contents = 2 WHERE key = 3",
      "item 3: its contents list is not below it"
    ),
    (
      "an item that contains the list that it is in",
      "UPDATE row SET contents = 1 WHERE inventory = 1 AND kind = 1",
      "item 3: its contents list is not below it"
    ),
    (
      "an item that has lost its contents list",
      "UPDATE row SET parent = 3, leaf = NULL, pos = NULL WHERE title = 'inner'",
      "row 43: it is not in a list, not in the trash, and not purged"
    ),
    (
      "a photo at a place of its own",
      """
      INSERT INTO photo (inventory, id, item, state, place, type, created_at)
      SELECT inventory, randomblob(16), key, 1, 1, 'png', 0 FROM row WHERE key = 3
      """, "item 3: its photos are not at the places 0 to 0"
    ),
    (
      "a list that has photos",
      """
      INSERT INTO photo (inventory, id, item, state, place, type, created_at)
      SELECT inventory, randomblob(16), key, 1, 0, 'png', 0 FROM row WHERE key = 2
      """, "row 2: it has photos, but is not an item"
    ),
    (
      "a removed photo of a list",
      """
      INSERT INTO photo (inventory, id, item, state, type, width, height, created_at)
      SELECT inventory, randomblob(16), key, 2, 'png', 1, 1, 0 FROM row WHERE key = 2
      """, "row 2: it has photos, but is not an item"
    ),
    (
      "a removed photo of no row",
      """
      INSERT INTO photo (inventory, id, item, state, type, created_at)
      SELECT inventory, randomblob(16), 99, 2, 'png', 0 FROM row WHERE key = 2
      """, "photo 1: its inventory has no row 99"
    ),
    (
      "a photo of another inventory's item",
      """
      INSERT INTO photo (inventory, id, item, state, place, type, created_at)
      SELECT inventory + 1, randomblob(16), key, 1, 0, 'png', 0 FROM row WHERE key = 3
      """, "photo 1: its inventory has no row 3"
    ),
    (
      "a row that refers to no inventory", "UPDATE row SET inventory = 77 WHERE key = 3",
      "row 3 refers to a missing inventory"
    ),
    (
      "what was deleted from a list that is gone",
      """
      UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = 3;
      INSERT INTO trash VALUES (3, 1, 777, 0, NULL, NULL, 1, 0, 'local', 0)
      """, "row 3: it is in the trash, but its former list is missing"
    ),
    (
      "what was deleted by a change that is yet to come",
      """
      UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = 3;
      INSERT INTO trash VALUES (3, 1, 1, 0, NULL, NULL, 9999, 0, 'local', 0)
      """, "row 3: its revision 9999 is higher than its inventory's"
    ),
    (
      "a time out of range", "UPDATE list SET updated_at = 9223372036854775807 WHERE key = 2",
      "list 2: its time 9223372036854775807 is out of range"
    ),
    (
      "a step at an index that the list cannot have had",
      "UPDATE operation SET target = 99 WHERE revision = 3",
      "list 1: its step in change 3 is impossible"
    ),
    (
      "a new order that is none",
      """
      UPDATE operation SET kind = 4, row = NULL, target = NULL, places = zeroblob(4 * 41)
      WHERE revision = 41 AND kind = 0
      """, "list 1: its step in change 41 is impossible"
    ),
    (
      "a step of no list", "UPDATE operation SET list = 3 WHERE revision = 3",
      "row 3: the log has steps of it, but it is not a list"
    ),
    (
      "a change without its steps", "DELETE FROM operation WHERE revision = 3",
      "inventory 1: change 3 has a stored size of 201 bytes, but has 137"
    ),
    (
      "steps of no change", "UPDATE operation SET revision = 9999 WHERE revision = 3",
      "inventory 1: the log has steps or edits of change 9999, which it does not have"
    ),
    (
      "an item older than its last edit",
      "INSERT INTO edit SELECT 1, 40, id, 'name', 'thing', 'other' FROM row WHERE key = 3",
      "item 3: its revision is 2, but its last logged edit has 40"
    ),
    (
      "an edit of no field",
      "INSERT INTO edit SELECT 1, 3, id, 'weight', NULL, NULL FROM row WHERE key = 3",
      "inventory 1: change 3 has a value of weight that cannot be read"
    ),
    (
      "an edit to no value",
      "INSERT INTO edit SELECT 1, 3, id, 'name', 'thing', 5 FROM row WHERE key = 3",
      "inventory 1: change 3 has a value of name that cannot be read"
    ),
    (
      "keys that would be given twice", "UPDATE sqlite_sequence SET seq = 5 WHERE name = 'row'",
      "row: its highest key is 44, but the last assigned key is 5"
    ),
    (
      "a screen whose state is no JSON", "UPDATE navigator_screen SET state = '{bad' WHERE tab = 1",
      "navigator 1: the state of its screen 1.0 is not a JSON object"
    ),
    (
      "an item without a quantity", "UPDATE row SET quantity = NULL WHERE key = 3",
      "row 3: a value is missing, or its custom fields cannot be read"
    ),
    (
      "a quantity below zero", "UPDATE row SET quantity = -3 WHERE key = 3",
      "row 3: its value or its quantity is out of range"
    ),
    (
      "a thing that is called a car", "UPDATE row SET kind = 2 WHERE key = 3",
      "row 3: its title or its values do not fit its kind"
    ),
    (
      "a car that is called a thing", "UPDATE row SET make = 'Fiat', title = 'Fiat' WHERE key = 3",
      "row 3: its title or its values do not fit its kind"
    ),
    (
      "a car whose make is not in its title",
      "UPDATE row SET kind = 2, make = 'Fiat', year = 1970, title = '1970 Ford' WHERE key = 3",
      "row 3: its title or its values do not fit its kind"
    ),
    (
      "inventories that are all hidden", "UPDATE inventory SET hidden = 1",
      "inventory 1: all inventories are hidden"
    ),
    (
      "a list whose revision is before its last step", "UPDATE list SET revision = 1 WHERE key = 1",
      "list 1: its revision is 1, but its last logged step has 42"
    ),
    (
      "a row deleted by a change that did not delete it",
      """
      UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = 3;
      INSERT INTO trash SELECT 3, 1, 1, 0, NULL, NULL, revision, at, actor, 0 FROM change
      WHERE inventory = 1 AND revision = 1
      """, "row 3: it was deleted by change 1, but the log does not say so"
    ),
    (
      "a row deleted at another time than the log says",
      """
      UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = 3;
      UPDATE operation SET kind = 1, source = 0, target = 0 WHERE revision = 2;
      INSERT INTO trash SELECT 3, 1, 1, 0, NULL, NULL, revision, at + 1000000000, actor, 0
      FROM change WHERE inventory = 1 AND revision = 2
      """, "row 3: it was deleted by change 2, but the log does not say so"
    ),
    (
      "a trash record in the log that cannot be read",
      "UPDATE operation SET places = x'2D' WHERE revision = 2",
      "list 1: its step in change 2 is impossible"
    ),
    (
      "a photo of no type",
      """
      INSERT INTO photo (inventory, id, item, state, place, type, size, created_at)
      SELECT inventory, randomblob(16), key, 1, 0, 'tiff', 5, 0 FROM row WHERE key = 3
      """, "photo 1: its type, size or orientation is invalid"
    ),
    (
      "a table of somebody else's", "CREATE TABLE mine (a)",
      "table mine: it does not belong to Rowhouse"
    ),
    (
      "a view of somebody else's", "CREATE VIEW mine AS SELECT 1",
      "view mine: it does not belong to Rowhouse"
    ),
    (
      "a trigger of somebody else's", "CREATE TRIGGER mine AFTER DELETE ON row BEGIN SELECT 1; END",
      "trigger mine: it does not belong to Rowhouse"
    ),
    (
      "an index of somebody else's", "CREATE INDEX mine ON row (notes)",
      "index mine: it does not belong to Rowhouse"
    ),
    ("a missing index", "DROP INDEX row_by_tags", "index row_by_tags: it is missing"),
    ("a missing trigger", "DROP TRIGGER row_edited", "trigger row_edited: it is missing"),
    (
      "an altered index", "DROP INDEX row_by_tags; CREATE INDEX row_by_tags ON row (tags)",
      "index row_by_tags: it was changed"
    ),
    (
      "an altered trigger",
      """
      DROP TRIGGER row_deleted;
      CREATE TRIGGER row_deleted AFTER DELETE ON row BEGIN SELECT 1; END
      """, "trigger row_deleted: it was changed"
    ),
    (
      "lists that no server lets so deep",
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, created_at)
      WITH RECURSIVE deep (key) AS (
        SELECT max(key) FROM row UNION ALL SELECT key + 1 FROM deep LIMIT 10000)
      SELECT 1, key, 0, 0, 0, randomblob(16), 'deep', 0 FROM deep
      """,
      "inventory 2: it has lists on level 10001, but 10000 levels are supported"
    ),
    (
      "what was purged from a list that is gone",
      """
      UPDATE row SET parent = NULL, leaf = NULL, pos = NULL WHERE key = 3;
      INSERT INTO purge VALUES (3, 777)
      """, "row 3: it is purged, but its former list is missing"
    ),
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
    try store.awaitIndex()
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
    let damage = Self.damages[index]
    let found = try findings(after: damage.sql)
    #expect(found.contains(damage.finding), "\(damage.what)")
  }
}
