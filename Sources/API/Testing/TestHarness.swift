import Inventory

/// What a test suite can do with a server in test mode: restore its data, make it fail, and see what it was asked. All
/// loops share it.
package final class TestHarness: Sendable {
  let store: any RewindableStore
  let faults = FaultRules()
  let journal = RequestJournal()

  package init(_ store: any RewindableStore) { self.store = store }
}
