import Inventory
import SQL
import Support
import Synchronization
import Testing

@testable import Storage

@Suite struct `A search by a caller who sees a part` {
  private let open: OpenStore
  init() throws { open = try OpenStore() }

  private func add(_ details: ItemDetails, to list: ListReference = .root) throws -> ItemID {
    let id = ItemID(.version7())
    try open.write(.createItem(NewItem(id: id, details: details), in: list, .last))
    return id
  }

  /// What a search below a list finds, without the ways to it.
  private func found(
    _ query: SearchQuery, as caller: Caller
  ) throws -> (total: SearchTotal, rows: [Row.Content], snippets: [[SearchHit.Piece]]) {
    let hits = Mutex<(SearchTotal?, [SearchHit])>((nil, []))
    try open.read(.long, as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.search(query) { total in
        hits.withLock { $0.0 = total }
      } visit: { hit in
        hits.withLock { $0.1.append(hit) }
        return true
      }
    }
    let (total, all) = hits.withLock { $0 }
    return (try #require(total), all.map(\.content), all.map(\.snippet))
  }

  @Test(arguments: [
    "lamp", "la", "old lamp", "AB-12", "B-1", "12-AB", "x-x", "Ärger", "a b", "red", "zzz", "…",
    "20",
  ])
  func `finds the same in the same order for a caller who sees one list only`(text: String) throws {
    let shelf = try open.addList("Old shelf")
    let inner = try open.addList("Lamp shop", to: .id(shelf))
    let texts = ["Old lamp", "Lamp, old", "AB-12 x/y x x", "arger a b c", "Ladder 20", "B 1 old"]
    for (number, text) in texts.enumerated() {
      for list in [ListReference.root, .id(shelf), .id(inner)] {
        _ = try add(
          ItemDetails(name: text, notes: "Goes with \(texts[(number + 1) % 6])"), to: list)
        let tags = number % 2 == 0 ? ["red", "old"] : []
        _ = try add(
          ItemDetails(
            name: "Box \(number)", serialNumber: "AB-12", tags: tags,
            fields: CustomFields(json: #"{"lamp":"\#(text)"}"#)), to: list)
      }
    }
    let gone = try add(ItemDetails(name: "Old lamp AB-12 red"), to: .id(inner))
    try open.write(.deleteRow(RowID(gone), kind: .any, isRecursive: false))
    let caller = Caller(root: shelf, role: .reader, name: "guest")
    for (kind, tag) in [(nil, nil), (.thing, nil), (.list, nil), (nil, "old")]
      as [(SearchQuery.Kind?, String?)]
    {
      let query = SearchQuery(
        words: SearchWords(text), below: .id(shelf), kind: kind, tag: tag, limit: 100)
      let (scanned, indexed) = (try found(query, as: caller), try found(query, as: .local))
      #expect(scanned.total == indexed.total)
      #expect(scanned.rows == indexed.rows)
      #expect(scanned.snippets == indexed.snippets)
    }
  }

  @Test(arguments: ["lamp", "la", "lamp old"])
  func `takes no more steps for words that are common outside of the list that a caller sees`(
    text: String
  ) throws {
    let shelf = try open.addList("Shelf")
    _ = try add(ItemDetails(name: "Globe"), to: .id(shelf))
    let caller = Caller(root: shelf, role: .reader, name: "guest")
    let before = try steps(of: text, as: caller)
    let items = (0..<3_000).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Old lamp \(number)"))
    }
    try open.write(.appendItems(items, to: .root))
    try open.awaitIndex()
    let after = try steps(of: text, as: caller)
    #expect(after.found == 0)
    #expect(after.0 < before.0 + 1_000)
  }

  @Test func `has tags and trash that take no more steps for what is elsewhere`() throws {
    let shelf = try open.addList("Shelf")
    let globe = try add(ItemDetails(name: "Globe", tags: ["round"]), to: .id(shelf))
    let box = try open.addList("Box", to: .id(shelf))
    let lamp = try add(ItemDetails(name: "Lamp", tags: ["old"]), to: .id(box))
    let deleted = [RowID(lamp), RowID(box), RowID(globe)]
    for row in deleted { try open.write(.deleteRow(row, kind: .any, isRecursive: true)) }
    try open.write(.restore(RowID(globe), into: nil, nil))
    let caller = Caller(root: shelf, role: .reader, name: "guest")
    func tags(_ snapshot: DatabaseSnapshot) throws -> Int {
      try snapshot.tags(prefix: "", offset: 0, limit: 10).count
    }
    func trash(_ snapshot: DatabaseSnapshot) throws -> Int {
      try snapshot.trash(PageWindow(start: .offset(0), limit: 10)).count
    }
    let before = (tags: try steps(as: caller, tags), trash: try steps(as: caller, trash))
    #expect(before.tags.found == 1)
    #expect(before.trash.found == 2)
    let items = (0..<1_000).map { number in
      NewItem(
        id: ItemID(.version7()), details: ItemDetails(name: "\(number)", tags: ["tag \(number)"]))
    }
    try open.write(.appendItems(items, to: .root))
    for item in items.prefix(300) {
      try open.write(.deleteRow(RowID(item.id), kind: .any, isRecursive: false))
    }
    let after = (tags: try steps(as: caller, tags), trash: try steps(as: caller, trash))
    #expect(after.tags.found == 1)
    #expect(after.trash.found == 2)
    // For each row that was looked at there would be more than one.
    #expect(after.tags.steps < before.tags.steps + 200)
    #expect(after.trash.steps < before.trash.steps + 200)
  }

  /// The steps of SQLite's virtual machine that a search takes, and how much it finds.
  private func steps(of text: String, as caller: Caller = .local) throws -> (Int, found: Int) {
    let (steps, found) = try steps(as: caller) { snapshot in
      var found = 0
      try snapshot.search(SearchQuery(words: SearchWords(text))) {
        found = $0.count
      } visit: { _ in
        true
      }
      return found
    }
    return (steps, found)
  }

  private func steps(
    as caller: Caller, _ read: (DatabaseSnapshot) throws -> Int
  ) throws -> (steps: Int, found: Int) {
    let db = try open.connection()
    let snapshot = DatabaseSnapshot(caller, in: db)
    var (steps, found) = (0, 0)
    // What is prepared once is not to count.
    for _ in 1...2 {
      steps = 0
      db.setProgress(every: 1) {
        steps += 1
        return false
      }
      found = try read(snapshot)
    }
    db.setProgress(every: 0, nil)
    return (steps, found)
  }

  @Test(arguments: ["lamp", "la", "lamp old"])
  func `takes no more steps for words that are common in other inventories`(text: String) throws {
    let other = InventoryID(.version7())
    try open.administer(.createInventory(id: other, title: "Shop"))
    let items = (0..<3_000).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Old lamp \(number)"))
    }
    try open.write(
      .appendItems(items, to: .root), as: Caller(inventory: other, role: .admin, name: "shop"))
    try open.awaitIndex()
    let common = try steps(of: text)
    let absent = try steps(of: "zzz")
    #expect(common.found == 0)
    #expect(absent.found == 0)
    // For each row that was looked at there would be more than one.
    #expect(common.0 < absent.0 + 1_000)
    #expect(
      try steps(of: text, as: Caller(inventory: other, role: .admin, name: "shop")).found == 3_000)
  }
}
