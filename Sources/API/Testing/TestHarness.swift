import Inventory
import Synchronization

/// What a test suite can do with a server in test mode: restore its data, make it fail, and see what it was asked. All
/// loops share it.
package final class TestHarness: Sendable {
  let store: any RewindableStore
  let faults = FaultRules()
  let journal = RequestJournal()

  private let listeners = Mutex<[@Sendable () -> Void]>([])

  package init(_ store: any RewindableStore) { self.store = store }

  /// Calls `listener` each time an earlier state was brought back, before the call is answered.
  func onReturn(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }

  func stateDidReturn() {
    for listener in listeners.withLock({ $0 }) { listener() }
  }
}
