import Inventory
import SQLite

/// The time by which chores delete what has expired.
///
/// A clock can be wrong after a start, and it can jump. Rows in the trash must not be purged for that. So chores go by
/// the time of the last logged change until the clock has run evenly for a while.
struct SettledClock {
  private let read: () -> Timestamp
  private let settlingTime: Duration
  /// A reading of the clock, and when it was read.
  private var base: (time: Timestamp, instant: ContinuousClock.Instant)?
  private var isSettled = false
  /// The last time that the clock had while it was settled, or the time of the last change; nil until it is read.
  private var certain: Timestamp?

  /// A larger difference between the clock and the time that has passed is a jump, in seconds.
  private static let tolerance: Int64 = 60

  /// - Parameter settlingTime: how long the clock must run without a jump; zero trusts it at once.
  init(settlingTime: Duration, _ read: @escaping () -> Timestamp) {
    self.settlingTime = settlingTime
    self.read = read
  }

  mutating func now(
    in db: Connection, at instant: ContinuousClock.Instant = .now
  ) throws(StorageError) -> Timestamp {
    let time = read()
    guard settlingTime > .zero else { return time }
    let passed = base.map { $0.instant.duration(to: instant) } ?? .zero
    if let base, abs(time.seconds - base.time.seconds - passed.components.seconds) <= Self.tolerance
    {
      isSettled = isSettled || passed >= settlingTime
    } else {
      (base, isSettled) = ((time, instant), false)
    }
    if isSettled {
      (base, certain) = ((time, instant), time)
      return time
    }
    let last = if let certain { certain } else { try ChangeLog.latest(in: db) }
    certain = last
    return min(time, last)
  }
}
