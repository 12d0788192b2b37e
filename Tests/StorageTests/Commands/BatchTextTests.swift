import Inventory
import Testing

/// The writer rewrites all text of a changed row, and the search index reads it twice.
@Suite struct `The text of one request's rows` {
  private let store: OpenStore
  private let things: [ItemID]
  private let count = 72

  init() throws {
    store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let notes = Self.notes
    let items = (0..<count).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)", notes: notes))
    }
    for start in stride(from: 0, to: count, by: 24) {
      try store.write(.appendItems(Array(items[start..<(start + 24)]), to: .root))
    }
    things = items.map(\.id)
  }

  private static let notes = String(repeating: "globe ", count: 10_000)
  /// That many may change text, of which each counts before and after.
  private static let changed = Limits.textOfBatch / (2 * notes.utf8.count + 100)
  private static let added = Limits.textOfBatch / (notes.utf8.count + 100)
  private static let kept = Limits.textKeptAtOnce / notes.utf8.count

  private func updates(
    _ count: Int, _ edit: @escaping @Sendable (inout ItemDetails) -> Void
  ) -> Batch {
    var batch = Batch()
    batch.updates = things.prefix(count).map { id in
      Batch.Update(
        RowID(id),
        item: { (old) throws(InventoryError) in
          var new = old
          edit(&new)
          return new
        }, list: { (old) throws(InventoryError) in old })
    }
    return batch
  }

  private func expect(_ excess: Excess, _ command: Command) {
    #expect(store.result(command) == .failure(.tooMuchAtOnce(excess)))
  }

  @Test func `counts before and after where it is changed`() throws {
    let rename: @Sendable (inout ItemDetails) -> Void = { $0.name = "Renamed" }
    expect(.textOfBatch, .batch(.root, updates(Self.changed + 1, rename)))
    #expect(try store.titles(limit: 2) == ["0", "1"])
    try store.write(.batch(.root, updates(Self.changed, rename)))
    #expect(try store.titles(limit: 2) == ["Renamed", "Renamed"])
  }

  @Test func `counts once where it is added`() throws {
    func inserts(_ count: Int) -> Batch {
      var batch = Batch()
      batch.insertions = (0..<count).map { number in
        let details = ItemDetails(name: "New", notes: Self.notes)
        return Batch.Insertion(
          index: number, new: .item(NewItem(id: ItemID(.version7()), details: details)))
      }
      return batch
    }
    let before = try store.titles().count
    expect(.textOfBatch, .batch(.root, inserts(Self.added + 1)))
    try store.write(.batch(.root, inserts(Self.added)))
    #expect(try store.titles().count == before + Self.added)
  }

  @Test func `counts less in rows that keep it`() throws {
    let edit: @Sendable (inout ItemDetails) -> Void = { $0.quantity = 2 }
    expect(.textKept, .batch(.root, updates(Self.kept + 1, edit)))
    try store.write(.batch(.root, updates(Self.kept, edit)))
    func moves(_ count: Int) -> Batch {
      var batch = Batch()
      batch.moves = things.prefix(count).enumerated().map { index, id in
        Batch.Move(.id(RowID(id)), to: count - 1 - index)
      }
      return batch
    }
    expect(.textKept, .batch(.root, moves(Self.kept + 1)))
    try store.write(.batch(.root, moves(Self.kept)))
    let rows = things.map { RowID($0) }
    expect(.textKept, .moveRows(Array(rows.prefix(Self.kept + 1)), into: .root, .last))
    try store.write(.moveRows(Array(rows.prefix(Self.kept)), into: .root, .last))
    var deletes = Batch()
    deletes.deletions = rows.prefix(Self.kept + 1).map { .id($0) }
    expect(.textKept, .batch(.root, deletes))
    deletes.deletions.removeLast()
    let revision = try store.write(.batch(.root, deletes)).receipt.revision
    let left = try store.titles().count
    // What was let through can be taken back.
    try store.write(.undo(revision))
    #expect(try store.titles().count == left + Self.kept)
  }
}
