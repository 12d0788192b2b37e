import Inventory
import Synchronization

/// A clock that stands still until it is set.
package final class SetClock: Sendable {
  private let time: Mutex<Timestamp>
  package init(_ time: Timestamp = Timestamp(seconds: 1_800_000_000)) { self.time = Mutex(time) }

  package var now: Timestamp { time.withLock { $0 } }
  package func set(_ now: Timestamp) { time.withLock { $0 = now } }
}
