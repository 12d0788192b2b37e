import Synchronization

/// Wakes one loop's handler from any thread, once for each time that the handler has asked to be woken.
///
/// A handler that waits for something arms its waker, looks once more, and returns to its loop; whoever brings about
/// what it waits for calls `wake`. A call for a handler that does not wait costs a read of one flag.
package final class LoopWaker: Sendable {
  private let isArmed = Atomic<Bool>(false)
  private let ring: @Sendable () -> Void

  /// - Parameter ring: has the loop wake up, from any thread.
  package init(_ ring: @escaping @Sendable () -> Void = {}) { self.ring = ring }

  /// The next `wake` rings. What was brought about before this call may have rung nobody: look after it.
  package func arm() {
    if !isArmed.load(ordering: .sequentiallyConsistent) {
      isArmed.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// Has the loop call `Handler.wakeUpEnded` soon, if it waits for that.
  package func wake() {
    if isArmed.load(ordering: .sequentiallyConsistent),
      isArmed.exchange(false, ordering: .sequentiallyConsistent)
    {
      ring()
    }
  }
}
