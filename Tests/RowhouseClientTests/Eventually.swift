import Testing

/// Waits until something is so: looks for a minute and more, however long tasks are kept from running in between.
@MainActor func eventually(
  _ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<6_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("The condition did not become true in time.", sourceLocation: sourceLocation)
}
