extension Rowhouse {
  /// The tints of the inventory's bars.
  public func appearance() async throws(RowhouseError) -> Appearance {
    try await answer(.get("/v1/appearance"))
  }

  /// Sets all tints of the inventory's bars.
  ///
  /// - Parameters:
  ///   - tints: The new tints. The answer has a warning for each title that is hard to read on its bar.
  ///   - version: The call is refused if the appearance has another version.
  @discardableResult
  public func setAppearance(
    _ tints: Tints, ifAt version: Int? = nil
  ) async throws(RowhouseError) -> Appearance {
    try await answer(.write("PUT", "/v1/appearance", json: tints).ifMatch(version))
  }
}
