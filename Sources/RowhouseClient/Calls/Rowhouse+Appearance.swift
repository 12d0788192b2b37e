extension Rowhouse {
  /// The tints of the inventory's bars.
  public func appearance() async throws(RowhouseError) -> Appearance {
    try await answer(.get("/v1/appearance"))
  }

  /// Sets the tints of the inventory's bars, all of them.
  ///
  /// - Parameters:
  ///   - tints: the answer has a warning for each title that is hard to read on its bar.
  ///   - version: refused if the appearance is not at it any more.
  @discardableResult
  public func setAppearance(
    _ tints: Tints, ifAt version: Int? = nil
  ) async throws(RowhouseError) -> Appearance {
    try await answer(.write("PUT", "/v1/appearance", json: tints).ifMatch(version))
  }
}
