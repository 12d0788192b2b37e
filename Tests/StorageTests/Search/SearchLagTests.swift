import Glibc
import Inventory
import SQL
import Support
import Testing

@testable import Storage

/// Long texts are indexed after their commit, in steps of a bounded size.
@Suite struct `A search index that is behind` {
  private let folder: TemporaryFolder
  /// A connection to a database that no store has open.
  private let db: Connection

  init() throws {
    folder = try TemporaryFolder()
    try DatabaseStore(DatabaseStore.Configuration(path: folder.database)).close()
    db = try StoreFile(path: folder.database).openWriter()
    try db.execute("PRAGMA synchronous = OFF")
  }

  /// Adds items that are not indexed.
  private func insert(_ notes: [String]) throws {
    for text in notes {
      try db.statement(
        """
        INSERT INTO row (inventory, parent, kind, id, title, notes, quantity, created_at, updated_at, revision)
        SELECT inventory, key, 1, randomblob(16), 'Thing', ?1, 1, 0, 0, 0 FROM row ORDER BY key LIMIT 1
        """
      ).bind(text).run()
    }
  }

  private func matches(_ text: String) throws -> [SearchReader.Match] {
    let words = try #require(SearchWords(text))
    let access = try Access(.local, in: db)
    let reader = SearchReader(db: db, access: access)
    return try reader.matches(of: SearchQuery(words: words), below: access.root).0
  }

  private func fault() throws -> String? {
    try db.transaction(.immediate) { () throws(StorageError) in try SearchIndex.fault(in: db) }
  }

  private var indexedRows: Int {
    get throws {
      try db.statement("SELECT count(*) FROM search_docsize").first { $0.int(0) } ?? 0
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `finds new, edited and deleted rows as one that is up to date`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let words = ["lamp", "ladder", "la", "red", "AB-12", "x"]
    func notes() -> String {
      (0...Int.random(in: 0..<12, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }
    try insert((0..<30).map { _ in notes() })
    try SearchIndex.catchUp(in: db)
    for _ in 0..<10 {
      try db.statement("UPDATE row SET notes = ?1 WHERE key = ?2")
        .bind(notes()).bind(Int64.random(in: 2...31, using: &random)).run()
      try db.statement("DELETE FROM row WHERE key = ?1")
        .bind(Int64.random(in: 2...31, using: &random)).run()
    }
    try insert((0..<10).map { _ in notes() })
    while true {
      let late = try words.map(matches)
      let left = try SearchIndex.catchUp(
        in: db, atMost: Int.random(in: 0..<500, using: &random), takesOne: true
      ).left
      let next = try words.map(matches)
      for (late, next) in zip(late, next) {
        #expect(late.map(\.key).sorted() == next.map(\.key).sorted())
        for match in late {
          #expect(next.contains { $0.key == match.key && $0.rank == match.rank })
        }
      }
      guard left > 0 else { break }
    }
    #expect(try fault() == nil)
  }

  @Test func `indexes up to a given amount of text in one step, and at least one row if asked`()
    throws
  {
    let long = String(repeating: "word ", count: 2_000)
    try insert(["short", long, "short", long])
    let before = try indexedRows
    func left(_ limit: Int, takesOne: Bool = true) throws -> Int {
      try SearchIndex.catchUp(in: db, atMost: limit, takesOne: takesOne).left
    }
    #expect(try left(1_000, takesOne: false) > 2 * long.utf8.count)
    #expect(try indexedRows == before + 1)
    #expect(try left(1_000, takesOne: false) > 2 * long.utf8.count)
    #expect(try indexedRows == before + 1)
    #expect(try left(1_000) > long.utf8.count)
    #expect(try indexedRows == before + 2)
    #expect(try left(100_000) == 0)
    #expect(try indexedRows == before + 4)
    #expect(try fault() == nil)
  }

  @Test func `indexes new rows even if an edited row is too long`() throws {
    try insert(["short"])
    try SearchIndex.catchUp(in: db)
    try db.statement("UPDATE row SET notes = ?1 WHERE title = 'Thing'")
      .bind(String(repeating: "word ", count: 2_000)).run()
    let before = try indexedRows
    try insert(["new", "new"])
    #expect(try SearchIndex.catchUp(in: db, atMost: 1_000, takesOne: false).left > 10_000)
    #expect(try indexedRows == before + 2)
    #expect(try SearchIndex.catchUp(in: db, atMost: 1_000, takesOne: true).left == 0)
    #expect(try fault() == nil)
  }

  @Test(arguments: ["title", "tags", "fields", "notes"])
  func `counts every text that may be long in the size of a step`(column: String) throws {
    let long = "[\"" + String(repeating: "word ", count: 2_000) + "\"]"
    func lengthen(_ row: String) throws {
      try db.execute("UPDATE row SET \(column) = '\(long)' WHERE notes = '\(row)'")
    }
    try insert(["edited"])
    try SearchIndex.catchUp(in: db)
    try lengthen("edited")
    let edited = try SearchIndex.catchUp(in: db, atMost: 10_000, takesOne: false)
    #expect(edited.taken == 0)
    #expect(edited.left >= long.utf8.count)
    try SearchIndex.catchUp(in: db)
    try insert(["new"])
    try lengthen("new")
    let new = try SearchIndex.catchUp(in: db, atMost: 10_000, takesOne: false)
    #expect(new.taken == 0)
    #expect(new.left >= long.utf8.count)
  }

  @Test func `is brought up to date by the next start`() throws {
    try insert((0..<100).map { "word\($0) " + String(repeating: "word ", count: 2_000) })
    let store = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    defer { store.close() }
    while try SearchIndex.rowsBehind(in: db) > 0 { usleep(1_000) }
    #expect(try matches("word99").count == 1)
  }

  @Test func `is merged a little with each commit, and never as a whole`() throws {
    var random = SplitMix64(seed: 1)
    var most = 0
    // Past 16 times 16 times 16 commits FTS5 by itself would merge them all at once.
    for _ in 1...4_200 {
      try insert([
        (0..<300).map { _ in String(random.next() >> 24, radix: 16) }.joined(separator: " ")
      ])
      let before = db.totalChanges
      try SearchIndex.catchUp(in: db)
      most = max(most, db.totalChanges - before)
    }
    #expect(most > 10)
    #expect(most < 1_000, "pages written by one commit: \(most)")
    let parts = try db.statement("SELECT count(DISTINCT segid) FROM search_idx").first { $0.int(0) }
    #expect(parts ?? .max < 100)
  }

  @Test func `has the long texts of those wait whose texts it lacks`() throws {
    func long(of token: TokenID) -> PendingWrite {
      let context = WriteContext(
        caller: Caller(role: .editor, name: "test", token: token), requestID: "test",
        bodySize: 64 << 10)
      return PendingWrite(work: .command(.setAppearance(.calm), context)) { _ in }
    }
    let (anna, ben) = (TokenID(.version7()), TokenID(.version7()))
    let text = String(repeating: "word ", count: 13_000)
    var lag = IndexLag()
    for _ in 0..<100 { lag.note(8 << 10, of: ben, atOnce: 8 << 10) }
    for author in [anna, ben] {
      let other = author == anna ? ben : anna
      try insert(Array(repeating: text, count: 9))
      lag.note(9 * text.utf8.count, of: author, atOnce: 8 << 10)
      try lag.reduce(by: 0, in: db)
      #expect(!lag.admits(long(of: author)))
      #expect(lag.admits(long(of: other)))
      try insert(Array(repeating: text, count: 9))
      lag.note(9 * text.utf8.count, of: author, atOnce: 8 << 10)
      try lag.reduce(by: 0, in: db)
      #expect(!lag.admits(long(of: other)))
      try lag.reduce(by: 12 * text.utf8.count, in: db)
      #expect(lag.text > 0)
      #expect(lag.admits(long(of: author)))
      try lag.reduce(by: .max, in: db)
    }
  }

  @Test func `has long texts wait`() throws {
    let open = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let db = try open.connection()
    let count = 60
    let answers = (0..<count).map { _ in Answer<Outcome>() }
    for (number, answer) in answers.enumerated() {
      let item = NewItem(
        id: ItemID(.version7()),
        details: ItemDetails(
          name: "Long \(number)", notes: String(repeating: "w\(number) ", count: 15_000)))
      let context = WriteContext(caller: .local, requestID: "test", bodySize: 64 << 10)
      open.store.submit(.createItem(item, in: .root, .last), context) { answer.give($0) }
    }
    var most = 0
    for number in 0..<20 {
      try open.addThing("Short \(number)")
      let behind = try db.statement(
        """
        SELECT ifnull(sum(length(notes)), 0) FROM row
        WHERE key > (SELECT ifnull(max(id), 0) FROM search_docsize)
        """
      ).first { $0.int(0) }
      most = max(most, behind ?? 0)
    }
    for answer in answers { _ = try answer.wait().get() }
    #expect(most <= SearchIndex.textBehind + (64 << 10))
    #expect(try open.titles().count == count + 20)
  }
}
