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

  /// - Parameters:
  ///   - loadTokens: called when the counter of token changes differs from its value at the last successful call.
  ///     Changes by this process count too, because another process may have changed tokens just before.
  ///   - hasChanged: called after a commit of another process.
  init(
    _ db: Connection, known: KnownCounters,
    loadTokens: @escaping @Sendable (Connection) throws(StorageError) -> Void,
    hasChanged: @escaping @Sendable () -> Void
  ) throws(StoreOpeningError) {
    let loaded = known.value.tokens
    thread = try WorkerThread(inStore: .normal, using: db) { [isClosing] db in
      var (isListening, loaded) = (false, loaded)
      while !isClosing.value {
        do throws(StorageError) {
          let counters = try Self.counters(in: db, &isListening)
          if counters.tokens != loaded {
            try loadTokens(db)
            loaded = counters.tokens
          }
          if known.advance(to: counters) { hasChanged() }
          do throws(DatabaseError) {
            _ = try db.waitForNotification(within: Self.interval)
          } catch { throw .database(error) }
        } catch {
          // Connected anew, the session must listen anew.
          isListening = false
          usleep(Self.retryPause)
        }
      }
    }
  }

  private static func counters(
    in db: Connection, _ isListening: inout Bool
  ) throws(StorageError) -> SharedCounters {
    do throws(DatabaseError) {
      if !isListening {
        try db.listen(to: SharedCounters.channel)
        isListening = true
      }
      return try SharedCounters.read(in: db)
    } catch { throw .database(error) }
  }

  func close() {
    isClosing.set()
    thread.join()
  }
}
