import Inventory
import SQL
import Support
import Testing

@testable import Storage

@Suite struct `The search index` {
  private let open: OpenStore
  init() throws { open = try OpenStore() }

  private func search(
    _ text: String, limit: Int = 50, offset: Int = 0
  ) throws -> (total: SearchTotal, hits: [SearchHit]) {
    let query = SearchQuery(words: SearchWords(text), offset: offset, limit: limit)
    return try open.read(.long) { (snapshot) throws(InventoryError) in
      var total = SearchTotal(count: 0, isTruncated: false)
      var hits: [SearchHit] = []
      try snapshot.search(query) {
        total = $0
      } visit: { hit in
        hits.append(hit)
        return true
      }
      return (total, hits)
    }
  }

  private func titles(_ text: String) throws -> [String] {
    try search(text).hits.map { Row(index: RowIndex(0), content: $0.content).title }
  }

  private func add(_ details: ItemDetails, to list: ListReference = .root) throws -> ItemID {
    let id = ItemID(.version7())
    try open.write(.createItem(NewItem(id: id, details: details), in: list, .last))
    return id
  }

  @Test func `finds what was just written, edited and restored to what it was`() throws {
    let id = try open.addThing("Wallet")
    #expect(try titles("wallet") == ["Wallet"])
    for name in ["Purse", "Wallet"] {
      try open.write(
        .editItem(id) { (old) throws(InventoryError) in
          var new = old
          new.name = name
          return new
        })
      #expect(try titles(name) == [name])
    }
    #expect(try titles("purse").isEmpty)
  }

  @Test func `forgets nothing of what is refused in between`() throws {
    try open.addThing("Wallet")
    let taken = ItemID(.version7())
    try open.write(
      .createItem(NewItem(id: taken, details: ItemDetails(name: "Lamp")), in: .root, .last))
    let refused = open.result(
      .appendItems(
        [
          NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Spectre")),
          NewItem(id: taken, details: ItemDetails(name: "Spectre")),
        ], to: .root))
    #expect(throws: InventoryError.self) { try refused.get() }
    try open.addThing("Globe")
    #expect(try titles("spectre").isEmpty)
    #expect(try titles("globe") == ["Globe"])
    #expect(try titles("wallet") == ["Wallet"])
  }

  @Test func `puts titles before notes`() throws {
    _ = try add(ItemDetails(name: "Rope", notes: "Goes with the ladder"))
    _ = try add(ItemDetails(name: "Ladder", notes: "Goes with the rope"))
    #expect(try titles("ladder") == ["Ladder", "Rope"])
    #expect(try titles("rope") == ["Rope", "Ladder"])
  }

  @Test func `shows the words that matched, and only them, as matches`() throws {
    _ = try add(ItemDetails(name: "Rope", notes: "It is said: <b>Crème</b> brûlée & \"more\""))
    let snippet = try #require(try search("creme bru").hits.first).snippet
    #expect(snippet.filter(\.isMatch).map(\.text) == ["Crème", "brûlée"])
    #expect(
      snippet.map(\.text).joined() == "It is said: <b>Crème</b> brûlée & \"more\"")
  }

  @Test func `keeps snippets short, whatever the text`() throws {
    _ = try add(
      ItemDetails(name: "Rope", notes: String(repeating: "x", count: 60_000) + " needle"))
    _ = try add(
      ItemDetails(name: "Cord", notes: String(repeating: "hay ", count: 9_000) + "needle"))
    for hit in try search("needle").hits {
      #expect(hit.snippet.map(\.text).joined().unicodeScalars.count < 500)
    }
    #expect(try search("x").hits.count == 1)
  }

  private static let words = "abcdefghijklmnop".map { String($0) }

  @Test func `reads a bounded part of a text for its snippet, however often the words are in it`()
    throws
  {
    let text = Array(repeating: Self.words.joined(separator: " "), count: 2_000)
      .joined(separator: " ")
    for name in ["Rope", "Cord"] { _ = try add(ItemDetails(name: name, notes: text)) }
    let found = try search(Self.words.joined(separator: " "))
    #expect(found.total.count == 2)
    for hit in found.hits {
      #expect(hit.snippet.count { $0.isMatch } == 16)
      #expect(hit.snippet.map(\.text).joined() == Self.words.joined(separator: " ") + "…")
    }
  }

  @Test func `looks for each word once`() throws {
    let words = try #require(SearchWords("Ärger b arger B-2 c b b-2"))
    #expect(words.words == ["arger", "c", "b", "b-2"])
    let db = try open.connection()
    let sought = SoughtWords(words, in: InventoryKey(7), cutBy: db.tokenizer)
    #expect(sought.matchExpression == #""7xarger" "7xc" "7xb" "7x2" *"#)
    #expect(sought.words == [[0], [1], [2], [2, 3]])
  }

  @Test(
    "finds the parts of a word where they follow one another, and nowhere else",
    arguments: [
      ("AB-12", true), ("B-1", true), ("12-AB", false), ("AB-AB", false), ("b-12", true),
      ("x-y-x-z", true), ("x-y-y", false), ("x-x", true), ("12-plug", false), ("ab-1-z", false),
    ])
  func findsInOnePiece(text: String, isFound: Bool) throws {
    _ = try add(ItemDetails(name: "AB-12", notes: "Plug B 12 x/y x x y x y x z"))
    // In one column the parts are near each other, but not in two.
    #expect(try search(text).total.count == (isFound ? 1 : 0))
  }

  @Test func `shows the words of a long text where most of them are together`() throws {
    let hay = Array(repeating: "hay", count: 100).joined(separator: " ")
    _ = try add(
      ItemDetails(name: "Barn", notes: "needle \(hay) thread and needle \(hay) thread"))
    let snippet = try #require(try search("needle thread").hits.first).snippet
    #expect(snippet.filter(\.isMatch).map(\.text) == ["thread", "needle"])
    let text = snippet.map(\.text).joined()
    #expect(text.hasPrefix("…hay ") && text.hasSuffix(" hay…"))
    #expect(text.split(separator: " ").count == 16)
  }

  @Test(
    "takes words as words, whatever signs they have",
    arguments: [
      "\"", "a\"b", "rope\" OR \"lamp", "NEAR(rope lamp)", "rope*", "-rope", "{title}: rope",
      "title:rope", "^rope", "rope AND", "NOT rope", "(rope", "rope)", "rope'; DROP TABLE row",
      "\\rope",
      "rope + lamp", "rope\u{1F600}", "ꟊope", "𞤀rope",
    ])
  func takesSigns(text: String) throws {
    try open.addThing("Rope")
    guard SearchWords(text) != nil else { return }
    #expect(try search(text).total.count <= 1)
  }

  @Test func `reports if it has not ranked all matches`() throws {
    for _ in 0..<3 {
      let items = (0..<5_000).map { number in
        NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Bead \(number)"))
      }
      try open.write(.appendItems(items, to: .root))
    }
    let found = try search("bead", limit: 3, offset: 9_999)
    #expect(found.total == SearchTotal(count: 10_000, isTruncated: true))
    #expect(found.hits.count == 1)
    #expect(try search("bead 149").total == SearchTotal(count: 33, isTruncated: false))
  }

  @Test func `gets a few new words a moment later, but searches find them at once`() throws {
    let db = try open.connection()
    for number in 1...2 * SearchIndex.rowsLeft {
      try open.addThing("Lantern \(number)")
      #expect(try search("lantern").total.count == number)
      #expect(try SearchIndex.rowsBehind(in: db) <= SearchIndex.rowsLeft)
    }
    try open.awaitIndex()
  }

  @Test func `that is damaged refuses only much new text, and the store keeps working`() throws {
    for name in ["Wallet", "Purse"] { try open.addThing(name) }
    try open.connection().execute("DELETE FROM search_data")
    let items = (0..<2 * SearchIndex.rowsLeft).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Lamp \(number)"))
    }
    let refused = open.result(.appendItems(items, to: .root))
    guard case .failure(.storageDamaged) = refused else {
      Issue.record("\(refused)")
      return
    }
    try open.write(.moveRow(in: .root, from: 0, to: 1, expecting: nil))
    #expect(try open.titles() == ["Purse", "Wallet"])
  }

  @Test(
    arguments: ["DELETE FROM search_data", "UPDATE search_config SET v = 0 WHERE k = 'version'"])
  func `that cannot be read is found by the check`(damage: String) throws {
    let folder = try TemporaryFolder()
    do {
      let open = try OpenStore { $0.path = folder.database }
      try open.addThing("Wallet")
      try open.awaitIndex()
    }
    try Connection(path: folder.database, mode: .readWrite).execute(damage)
    #expect(
      try Database.check(path: folder.database)
        == ["search: the index and the rows disagree"])
  }

  /// A database from before there was an index, with a clock in its root list.
  private func makeOldDatabase(at path: String) throws {
    let older = Schema.migrator.migrations.prefix { $0.name != "search" }
    let db = try Connection(path: path, mode: .readWriteCreate)
    try Migrator(applicationID: Schema.applicationID, migrations: Array(older)).migrate(db)
    try db.execute(
      """
      INSERT INTO inventory (id, root, list_count, item_count, created_at)
      VALUES (randomblob(16), 1, 1, 1, 0);
      INSERT INTO row (inventory, kind, id, title, created_at)
      VALUES (1, 0, randomblob(16), 'Home', 0);
      INSERT INTO list (key, row_count, revision, updated_at) VALUES (1, 1, 0, 0);
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, quantity, created_at,
        updated_at, revision)
      VALUES (1, 1, 0, 0, 1, randomblob(16), 'Grandfather''s clock', 1, 0, 0, 0);
      """)
  }

  @Test func `is made for what was there before it`() throws {
    let folder = try TemporaryFolder()
    try makeOldDatabase(at: folder.database)
    let store = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    defer { store.close() }
    let session = try store.makeSession()
    let query = SearchQuery(words: SearchWords("clock"))
    let count = try session.readNow(.long) { (snapshot) throws(InventoryError) in
      var count = 0
      try snapshot.search(query) {
        count = $0.count
      } visit: { _ in
        true
      }
      return count
    }
    #expect(count == 1)
  }
}
