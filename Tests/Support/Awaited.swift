import Dispatch
import Synchronization

/// A value that another thread may bring.
package final class Awaited<Value: Sendable>: Sendable {
  private let brought = Mutex<Value?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func fulfill(_ value: Value) {
    brought.withLock { $0 = value }
    semaphore.signal()
  }

  package var isFulfilled: Bool { brought.withLock { $0 != nil } }

  package var value: Value {
    semaphore.wait()
    guard let value = brought.withLock({ $0 }) else {
      preconditionFailure("Woken without a value.")
    }
    return value
  }
}
