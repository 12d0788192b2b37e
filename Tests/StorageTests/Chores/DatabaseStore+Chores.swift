import Inventory
@testable import Storage
import Support

extension DatabaseStore {
  /// Does at once all that the writer does by and by.
  ///
  /// - Parameter isMeant: which chores to do.
  func doChores(where isMeant: @escaping @Sendable (any Chore) -> Bool = { _ in true }) throws {
    let answer = Awaited<Result<PendingWrite.Done, InventoryError>>()
    let work = PendingWrite.Work.task { [configuration] (db) throws(StorageError) in
      var before = -1
      // What one chore does may be another's to go on with.
      while db.totalChanges != before {
        before = db.totalChanges
        for chore in configuration.chores where isMeant(chore) {
          while try chore.step(in: db, now: Timestamp(configuration.now())) {}
        }
      }
      return 0
    }
    push(work) { answer.fulfill($0) }
    _ = try answer.value.get()
  }
}
