import Synchronization

/// Wakes one loop's handler from any thread, once for each call of `arm`.
///
/// A handler that waits calls `arm`, checks its condition once more, and returns to its loop. The thread that changes
/// the condition calls `wake`, which costs one atomic read if the handler is not waiting.
package final class LoopWaker: Sendable {
  private let isArmed = Atomic<Bool>(false)
  private let ring: @Sendable () -> Void

  /// - Parameter ring: wakes the loop; called from any thread.
  package init(_ ring: @escaping @Sendable () -> Void = {}) { self.ring = ring }

  /// Makes the next `wake` ring. Check the condition after this call. A change before the call does not wake the
  /// loop.
  package func arm() {
    if !isArmed.load(ordering: .sequentiallyConsistent) {
      isArmed.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// Makes the loop call `Handler.wakeUpEnded` soon if the handler is waiting.
  package func wake() {
    if isArmed.load(ordering: .sequentiallyConsistent),
      isArmed.exchange(false, ordering: .sequentiallyConsistent)
    {
      ring()
    }
  }
}
