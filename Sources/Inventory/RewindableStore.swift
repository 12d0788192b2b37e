/// A store whose whole state can be kept and brought back: for the tests of those who build on the
/// server, never for people's data.
package protocol RewindableStore: Sendable {
  /// - Parameter completion: called once, on any thread, when every read from now on sees the state
  ///   that was brought back; with `notFound(.snapshot)` where none was kept under the name.
  func rewind(
    _ step: RewindStep, completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void)
}

package enum RewindStep: Sendable {
  /// Under a name; what was kept under it before is forgotten.
  case keep(String)
  case bringBack(String)

  /// What the state at the start is kept under.
  package static let start = "start"
}
