import Glibc
import Inventory
import SQL
import Threads

/// Watches a shared database for commits of other processes, on a thread and a connection of its own.
///
/// A notification wakes it at once. It also looks by itself, because a notification may be lost.
final class CommitWatcher: Sendable {
  private let isClosing = Flag()
  private let thread: WorkerThread

  /// The time between two looks without a notification.
  private static let interval: Duration = .milliseconds(200)
  /// The pause after a look that failed, in microseconds.
  private static let retryPause: UInt32 = 500_000

  /// - Parameter hasChanged: called after a commit of another process, with whether it changed tokens.
  init(
    _ db: Connection, known: KnownCounters,
    hasChanged: @escaping @Sendable (_ tokens: Bool, Connection) -> Void
  ) throws(StoreOpeningError) {
    thread = try WorkerThread(inStore: .normal, using: db) { [isClosing] db in
      var isListening = false
      while !isClosing.value {
        do throws(DatabaseError) {
          if !isListening {
            try db.listen(to: SharedCounters.channel)
            isListening = true
          }
          let counters = try db.transaction(.deferred) { () throws(DatabaseError) in
            try SharedCounters.read(in: db)
          }
          if let before = known.advance(to: counters) {
            hasChanged(before.tokens != counters.tokens, db)
          }
          _ = try db.waitForNotification(within: Self.interval)
        } catch {
          // Connected anew, the session must listen anew.
          isListening = false
          usleep(Self.retryPause)
        }
      }
    }
  }

  func close() {
    isClosing.set()
    thread.join()
  }
}
