import Inventory
import SQLite
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
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Globe", notes: notes))
    }
  }

  /// The text that each step has the index forget, in bytes.
  private func steps() throws -> [Int] {
    let db = try store.connection()
    var texts: [Int] = []
    var hasMore = true
    while hasMore {
      try db.begin(.immediate)
      hasMore = try PurgeQueue().step(in: db, now: Timestamp(seconds: 0))
      texts.append(
        try db.statement("SELECT ifnull(sum(length(notes)), 0) FROM search_backlog")
          .first { $0.int(0) } ?? 0)
      try SearchIndex.catchUp(in: db)
      try db.commit()
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
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(list)))
    holdBound(try steps())
  }

  @Test func `of single items takes out so much text, and one at least`() throws {
    let things = things()
    try store.write(.appendItems(things, to: .root))
    for thing in things {
      try store.write(.deleteRow(RowID(thing.id), kind: .any, isRecursive: false))
      try store.write(.purge(RowID(thing.id)))
    }
    holdBound(try steps())
  }
}
