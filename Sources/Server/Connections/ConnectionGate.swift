import Synchronization

/// Counts the connections of all loops against their limit.
final class ConnectionGate: Sendable {
  /// Places beyond the limit, only for the reserved listener.
  private static let reserve = 8

  private let limit: Int
  private let count = Atomic<Int>(0)
  private let waiting = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  var open: Int { count.load(ordering: .relaxed) }

  func hasRoom(isReserved: Bool) -> Bool {
    count.load(ordering: .sequentiallyConsistent) < places(isReserved: isReserved)
  }

  private func places(isReserved: Bool) -> Int { isReserved ? limit + Self.reserve : limit }

  /// Reserves a place before a connection is accepted.
  func enter(isReserved: Bool) -> Bool {
    let places = places(isReserved: isReserved)
    if count.add(1, ordering: .sequentiallyConsistent).newValue <= places { return true }
    count.subtract(1, ordering: .sequentiallyConsistent)
    return false
  }

  /// Gives a place back. True if a loop waits for one and must be woken.
  func leave() -> Bool {
    count.subtract(1, ordering: .sequentiallyConsistent)
    return waiting.load(ordering: .sequentiallyConsistent) > 0
  }

  /// Notes that a loop has stopped accepting. Call `hasRoom` after it, because a place may be free by then.
  func startWaiting() { waiting.add(1, ordering: .sequentiallyConsistent) }

  func stopWaiting() { waiting.subtract(1, ordering: .sequentiallyConsistent) }
}
