import Inventory
import Synchronization

/// Counts the event streams of all loops and limits them.
package final class EventStreamLimit: Sendable {
  private let quota: Quota
  private let all = Atomic<Int>(0)
  private let slow = Atomic<Int>(0)

  package init(_ limit: Int) { quota = Quota(limit) }

  package var limit: Int { quota.limit }

  /// The number of open streams.
  package var open: Int { quota.inUse }

  /// The number of streams opened so far.
  package var opened: Int { all.load(ordering: .relaxed) }

  /// The number of streams closed because their clients did not read.
  package var dropped: Int { slow.load(ordering: .relaxed) }

  /// Reserves one stream until the result is released. Nil if the limit or the caller's share is reached.
  func take(for caller: Caller) -> EventStreamPlace? {
    guard quota.take(for: caller) else { return nil }
    all.add(1, ordering: .relaxed)
    return EventStreamPlace(self, caller)
  }

  fileprivate func leave(_ caller: Caller) { quota.give(for: caller) }

  fileprivate func countDropped() { slow.add(1, ordering: .relaxed) }
}

/// A reservation for one open event stream.
final class EventStreamPlace: Sendable {
  private let limit: EventStreamLimit
  private let caller: Caller

  fileprivate init(_ limit: EventStreamLimit, _ caller: Caller) {
    self.limit = limit
    self.caller = caller
  }

  deinit { limit.leave(caller) }

  /// Counts a stream whose client did not read.
  func wasDropped() { limit.countDropped() }
}
