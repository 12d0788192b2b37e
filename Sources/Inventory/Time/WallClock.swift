import FoundationEssentials
import Synchronization

/// The clock for the times of resources and changes.
package enum WallClock {
  private static let stoppedAt = Atomic<Int64>(.min)

  package static var now: Date {
    let seconds = stoppedAt.load(ordering: .relaxed)
    return seconds == .min ? Date() : Date(timeIntervalSince1970: Double(seconds))
  }

  /// Stops the clock, for tests that compare times.
  package static func stop(at timestamp: Timestamp) {
    stoppedAt.store(timestamp.seconds, ordering: .relaxed)
  }
}
