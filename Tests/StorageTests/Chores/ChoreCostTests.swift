import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Testing

/// The writer does this every second, or at the start, or for each photo of an import, and everybody waits meanwhile.
@Suite struct `What the writer does besides costs no more where more is kept` {
  private struct Work: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable (Connection) throws(StorageError) -> Void

    static let all = [
      Work(testDescription: "looking for photos to be cleared away") {
        (db) throws(StorageError) in
        _ = try PhotoSweep().step(in: db, now: Timestamp(seconds: 0))
      },
      Work(testDescription: "giving up an upload") { (db) throws(StorageError) in
        try PhotoSweep.discard(UploadID(.version7()), in: db)
      },
      Work(testDescription: "giving up all uploads") { (db) throws(StorageError) in
        try PhotoSweep.discardUploads(upTo: .max, in: db)
      },
      Work(testDescription: "looking for what has been in the trash for long") {
        (db) throws(StorageError) in
        _ = try TrashExpiry(seconds: 100).step(in: db, now: Timestamp(seconds: 0))
      },
      Work(testDescription: "cutting the log of what one change edited") {
        (db) throws(StorageError) in
        _ = try HistoryRetention.clear(upTo: 1, of: InventoryKey(1), in: db)
      },
    ]
  }

  /// How often SQLite asked whether to go on, which it does every so many instructions.
  private func cost(of work: Work, keeping count: Int) throws -> Int {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let list = try store.addList("Shelf")
    let things = (0..<4).map { _ in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Globe"))
    }
    try store.write(.appendItems(things, to: .id(list)))
    let db = try store.connection()
    // Half of the photos are in sight, the others can still be put back.
    try db.execute(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
      INSERT INTO photo (inventory, id, item, state, place, type, removed, created_at)
      SELECT 1, randomblob(16), n, 1 + n % 2, iif(n % 2, NULL, n), 'png', iif(n % 2, 1000, NULL), 0
      FROM numbers;
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
      INSERT INTO trash (row, inventory, list, place, revision, deleted_at, actor)
      SELECT 1000000 + n, 1, 1, 0, 1, 1000, 'test' FROM numbers;
      DELETE FROM operation;
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
      INSERT INTO edit SELECT 1, 1, randomblob(16), 'title', 'before', 'after' FROM numbers
      """)
    try db.begin(.immediate)
    defer { db.rollback() }
    try work.run(db)
    var steps = 0
    db.setProgress(every: 1) {
      steps += 1
      return false
    }
    defer { db.setProgress(every: 0, nil) }
    try work.run(db)
    return steps
  }

  @Test(arguments: Work.all)
  private func `as counted in instructions`(_ work: Work) throws {
    let (few, many) = (try cost(of: work, keeping: 200), try cost(of: work, keeping: 4_000))
    #expect(few > 0)
    #expect(many <= 2 * few)
  }
}
