import FoundationEssentials
import Synchronization

/// The time of day that resources and changes are dated with.
package enum WallClock {
  private static let stoppedAt = Atomic<Int64>(.min)

  package static var now: Date {
    let seconds = stoppedAt.load(ordering: .relaxed)
    return seconds == .min ? Date() : Date(timeIntervalSince1970: Double(seconds))
  }

  /// Lets it stand still, for tests that compare dates.
  package static func stop(at timestamp: Timestamp) {
    stoppedAt.store(timestamp.seconds, ordering: .relaxed)
  }
}
