extension Rowhouse {
  /// Makes a server that runs with `--test-mode` as it was at its start.
  public func resetForTests() async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/reset"))
  }

  /// Keeps all that a server with `--test-mode` holds under a name of letters, digits, `-` and `_`.
  public func keepForTests(_ name: String) async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/snapshot", json: ["name": name]))
  }

  /// Makes a server with `--test-mode` as it was when a snapshot was made.
  public func restoreForTests(_ name: String) async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/restore", json: ["name": name]))
  }
}
