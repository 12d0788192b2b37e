/// A store whose whole state, clock included, can be saved and restored. For test suites of client developers, never
/// for people's data.
package protocol RewindableStore: Sendable {
  /// - Parameter completion: called once, on any thread, when all new reads see the restored state.
  ///   Receives `notFound(.snapshot)` if nothing was saved under the name.
  func rewind(
    _ step: RewindStep, completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void)
}

package enum RewindStep: Sendable {
  /// Saves the state under a name, in place of an older one.
  case keep(String)
  case bringBack(String)
  /// Does all background work that is due, such as purging what has expired.
  case tidy

  /// The name of the state at the start.
  package static let start = "start"
}
