extension Rowhouse {
  /// Resets a server that runs with `--test-mode` to its state at the start.
  public func resetForTests() async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/reset"))
  }

  /// Saves all data of a server with `--test-mode` under a name of letters, digits, `-` and `_`.
  public func keepForTests(_ name: String) async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/snapshot", json: ["name": name]))
  }

  /// Restores a snapshot on a server with `--test-mode`.
  public func restoreForTests(_ name: String) async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/restore", json: ["name": name]))
  }
}
