import Inventory
import SQL
@testable import Storage
import Testing

/// The search index reads the text of deleted rows once more before each commit.
@Suite struct `A step of clearing away` {
  private let store: OpenStore
  private let notes = String(repeating: "globe ", count: 5_000)
  private let count = 12

  init() throws { store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) } }

  private func things() -> [NewItem] {
    (0..<count).map { _ in
      NewItem(
        id: ItemID(.version7()),
        details: ItemDetails(name: "Globe", value: Cents(100), notes: notes))
    }
  }

  /// Whether more is left to be cleared away, and the text that the step has the index forget, in bytes.
  private func step(in db: Connection) throws -> (hasMore: Bool, text: Int) {
    try db.begin(.immediate)
    let hasMore = try PurgeQueue().step(in: db, now: Timestamp(seconds: 0))
    let text = try db.statement("SELECT ifnull(sum(length(notes)), 0) FROM search_backlog")
      .first { $0.int(0) }
    try SearchIndex.catchUp(in: db)
    try db.commit()
    return (hasMore, text ?? 0)
  }

  /// The text that each step has the index forget, in bytes.
  private func steps() throws -> [Int] {
    let db = try store.connection()
    var texts: [Int] = []
    var hasMore = true
    while hasMore {
      let step = try step(in: db)
      hasMore = step.hasMore
      texts.append(step.text)
    }
    return texts
  }

  private func holdBound(_ texts: [Int]) {
    #expect(texts.reduce(0, +) == count * notes.utf8.count)
    for text in texts { #expect(text < StepTimer.textLimit + notes.utf8.count) }
  }

  @Test func `of a list takes out so much text, and one row at least`() throws {
    let list = try store.addList("Shelf")
    try store.write(.appendItems(things(), to: .id(list)))
    try store.awaitIndex()
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(list)))
    holdBound(try steps())
  }

  @Test func `of single items takes out so much text, and one at least`() throws {
    let things = things()
    try store.write(.appendItems(things, to: .root))
    try store.awaitIndex()
    for thing in things {
      try store.write(.deleteRow(RowID(thing.id), kind: .any, isRecursive: false))
      try store.write(.purge(RowID(thing.id)))
    }
    holdBound(try steps())
  }

  /// A list below a purged one is complete until a step queues it. A check must not read half of it after that.
  @Test func `beside a check leaves the check nothing to find`() throws {
    let outer = try store.addList("Case")
    let inner = try store.addList("Shelf", to: .id(outer))
    try store.write(.appendItems(things(), to: .id(inner)))
    try store.awaitIndex()
    try store.write(.deleteRow(RowID(outer), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(outer)))
    let db = try store.connection()
    func left() throws -> Int {
      try db.statement("SELECT count(*) FROM row WHERE kind > 0").first { $0.int(0) } ?? 0
    }
    let check = InvariantCheck(db: try store.connection(), shape: TreeShape()) { _, _ in
      // The root list has been looked through, the inner one has not.
      do { while try left() == count { _ = try step(in: db) } } catch { Issue.record(error) }
    }
    #expect(try check.findings() == [])
    #expect(try (1..<count).contains(left()))
  }
}
