import Inventory

/// The time by which trash, history and stored responses expire.
///
/// A clock can be wrong after a start, and it can jump. A wrong clock must not cause a deletion. So until the clock has
/// run without a jump for `settlingTime`, expiry uses the clock's time or `certain`, whichever is earlier.
struct SettledClock: Sendable {
  private let read: @Sendable () -> Timestamp
  private let settlingTime: Duration
  /// A reading of the clock, and when it was read.
  private var base: (time: Timestamp, instant: ContinuousClock.Instant)?
  private var isSettled = false
  /// The last time that the clock had while it was settled. At first the time of the last change before the start.
  private(set) var certain: Timestamp

  /// In seconds. A larger difference between the clock and the time that has passed is a jump.
  private static let tolerance: Int64 = 60

  /// - Parameters:
  ///   - settlingTime: how long the clock must run without a jump; zero trusts it at once.
  ///   - certain: the time of the last change before the start. Changes after the start may have wrong times.
  init(
    settlingTime: Duration, certain: Timestamp, _ read: @escaping @Sendable () -> Timestamp
  ) {
    self.settlingTime = settlingTime
    self.certain = certain
    self.read = read
  }

  mutating func now(at instant: ContinuousClock.Instant = .now) -> Timestamp {
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
    return min(time, certain)
  }
}
