import Synchronization

/// Counts the event streams of all loops against their limit.
package final class EventStreamLimit: Sendable {
  package let limit: Int
  private let count = Atomic<Int>(0)

  package init(_ limit: Int) { self.limit = limit }

  /// How many are open.
  package var open: Int { count.load(ordering: .relaxed) }

  /// A place for one more, given back when nobody holds it; nil if there is none.
  func take() -> EventStreamPlace? {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      leave()
      return nil
    }
    return EventStreamPlace(self)
  }

  fileprivate func leave() { count.subtract(1, ordering: .relaxed) }
}

/// One place among the event streams that may be open.
final class EventStreamPlace: Sendable {
  private let limit: EventStreamLimit

  fileprivate init(_ limit: EventStreamLimit) { self.limit = limit }

  deinit { limit.leave() }
}
