import FoundationEssentials
import Synchronization

/// The clock for the times of resources and changes.
package enum WallClock {
  /// In seconds since 1970; the lowest number while the clock runs.
  private static let stoppedAt = Atomic<Int64>(.min)
  /// The seconds by which a running clock is ahead of the system's.
  private static let lead = Atomic<Int64>(0)

  /// A state of the clock.
  package struct Mark: Sendable {
    fileprivate var stoppedAt: Int64
    fileprivate var lead: Int64
  }

  package static var now: Date {
    let seconds = stoppedAt.load(ordering: .relaxed)
    guard seconds == .min else { return Date(timeIntervalSince1970: Double(seconds)) }
    return Date() + Double(lead.load(ordering: .relaxed))
  }

  /// Stops the clock, for tests that compare times.
  package static func stop(at timestamp: Timestamp) {
    stoppedAt.store(timestamp.seconds, ordering: .relaxed)
  }

  /// Sets the clock, for tests that wait for something to expire. If it ran, it runs on.
  package static func set(to timestamp: Timestamp) {
    if stoppedAt.load(ordering: .relaxed) == .min {
      lead.store(timestamp.seconds - Timestamp(Date()).seconds, ordering: .relaxed)
    } else {
      stop(at: timestamp)
    }
  }

  package static var mark: Mark {
    Mark(
      stoppedAt: stoppedAt.load(ordering: .relaxed), lead: lead.load(ordering: .relaxed))
  }

  package static func goBack(to mark: Mark) {
    stoppedAt.store(mark.stoppedAt, ordering: .relaxed)
    lead.store(mark.lead, ordering: .relaxed)
  }
}
