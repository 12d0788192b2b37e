import Synchronization

/// Counts the event streams of all loops against their limit.
package final class EventStreamLimit: Sendable {
  private let quota: Quota
  private let all = Atomic<Int>(0)
  private let slow = Atomic<Int>(0)

  package init(_ limit: Int) { quota = Quota(limit) }

  package var limit: Int { quota.limit }

  /// How many are open.
  package var open: Int { quota.inUse }

  /// How many there have been.
  package var opened: Int { all.load(ordering: .relaxed) }

  /// How many were closed because their clients did not read.
  package var dropped: Int { slow.load(ordering: .relaxed) }

  /// A place for one more, given back when nobody holds it; nil if there is none.
  func take() -> EventStreamPlace? {
    guard quota.take() else { return nil }
    all.add(1, ordering: .relaxed)
    return EventStreamPlace(self)
  }

  fileprivate func leave() { quota.give() }

  fileprivate func countDropped() { slow.add(1, ordering: .relaxed) }
}

/// One place among the event streams that may be open.
final class EventStreamPlace: Sendable {
  private let limit: EventStreamLimit

  fileprivate init(_ limit: EventStreamLimit) { self.limit = limit }

  deinit { limit.leave() }

  /// Its client did not read.
  func wasDropped() { limit.countDropped() }
}
