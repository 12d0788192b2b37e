import Foundation

extension Rowhouse {
  /// Resets a server that runs with `--test-mode` to its state at the start. Ends all faults.
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

  /// Lets a server with `--test-mode` fail by these rules, in place of earlier ones. No rules: it does not fail.
  ///
  /// - Parameters:
  ///   - rules: the rules.
  ///   - seed: decides which requests the `share` of a rule hits.
  public func setFaults(_ rules: [FaultRule], seed: Int = 0) async throws(RowhouseError) {
    try await perform(
      .write("POST", "/v1/test/faults", json: Faults(seed: seed, rules: rules)))
  }

  /// The rules by which a server with `--test-mode` fails, each with how often it was hit.
  public func faults() async throws(RowhouseError) -> [FaultRule] {
    try await answer(.get("/v1/test/faults"), member: "rules")
  }

  private struct Faults: Encodable {
    let seed: Int
    let rules: [FaultRule]
  }

  /// Sets the clock of a server with `--test-mode`. What has expired by then is gone when this returns.
  public func setClock(to time: Date) async throws(RowhouseError) {
    try await perform(
      .write("POST", "/v1/test/clock", json: ["time": time.formatted(.iso8601)]))
  }

  /// Advances the clock of a server with `--test-mode`.
  public func advanceClock(seconds: Int) async throws(RowhouseError) {
    try await perform(.write("POST", "/v1/test/clock", json: ["advance": seconds]))
  }

  /// What a server with `--test-mode` was asked since its start or the last ``forgetRequests()``, oldest first.
  public func recordedRequests() async throws(RowhouseError) -> [RecordedRequest] {
    try await answer(.get("/v1/test/requests"), member: "requests")
  }

  public func forgetRequests() async throws(RowhouseError) {
    try await perform(.write("DELETE", "/v1/test/requests"))
  }
}
