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

  /// Reserves one stream until the result is released. Nil if the limit or the token's share is reached.
  func take(for token: TokenID?) -> EventStreamPlace? {
    guard quota.take(for: token) else { return nil }
    all.add(1, ordering: .relaxed)
    return EventStreamPlace(self, token)
  }

  fileprivate func leave(_ token: TokenID?) { quota.give(for: token) }

  fileprivate func countDropped() { slow.add(1, ordering: .relaxed) }
}

/// A reservation for one open event stream.
final class EventStreamPlace: Sendable {
  private let limit: EventStreamLimit
  private let token: TokenID?

  fileprivate init(_ limit: EventStreamLimit, _ token: TokenID?) {
    self.limit = limit
    self.token = token
  }

  deinit { limit.leave(token) }

  /// Counts a stream whose client did not read.
  func wasDropped() { limit.countDropped() }
}
