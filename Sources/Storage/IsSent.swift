import Synchronization

/// True for the first that asks.
final class IsSent: Sendable {
  private let flag = Atomic<Bool>(false)
  func setOnce() -> Bool { !flag.exchange(true, ordering: .relaxed) }
}
