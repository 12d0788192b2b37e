import Support
import Testing

@Suite struct `When file descriptors are used up` {
  // On a busy machine the last descriptor may stay free, and then no export is refused.
  @Test(.enabled(if: FaultyDisk.isThorough))
  func `long reads continue, calls that need a file are refused, and the log has the reason`()
    throws
  {
    let folder = try TemporaryFolder()
    let server = try RunningServer(
      database: folder.database, ["--loops", "2"], descriptors: 128)
    let client = try server.connect()
    try client.makeThing("Lamp", in: "root")
    // More than there are descriptors; those that are not accepted wait in the system.
    let crowd = try (0..<160).map { _ in try server.connect() }
    let refusal = try poll("an export that is refused") { () -> Answer? in
      let answer = try client.get("/v1/export")
      // For a moment the server gives one up, to turn a client away.
      #expect([200, 503].contains(answer.status))
      return answer.status == 503 ? answer : nil
    }
    #expect(refusal.text("/code") == "overloaded")
    #expect(refusal.fields.contains { $0.name.lowercased() == "retry-after" })
    for path in ["/v1/search?q=lamp", "/v1/lists/root/rows?sort=title", "/v1/tags", "/v1/trash"] {
      #expect(try client.get(path).status == 200)
    }
    _ = try poll("the log") {
      server.process.errors.contains("Out of file descriptors") ? true : nil
    }
    withExtendedLifetime(crowd) {}
    #expect(try server.stop() == .exit(0))
  }
}
