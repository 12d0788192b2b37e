import Foundation
import Support
import Testing

@Suite("The metrics")
struct MetricsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func metrics(_ client: Client, _ fields: [String: String] = [:]) throws -> MetricsText {
    let answer = try client.get("/metrics", fields)
    #expect(answer.status == 200)
    #expect(answer["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    return try MetricsText(String(decoding: answer.body, as: UTF8.self))
  }

  @Test func `count what was asked, by route, method and status, and how long it took`() throws {
    let server = try RunningServer(
      database: folder.database, ["--json-body", "2KiB", "--event-streams", "1"])
    let client = try server.connect()
    let list = try client.makeList("Shelf \"a\"")
    for _ in 0..<5 { _ = try client.get("/v1/lists/\(list)") }
    for _ in 0..<3 { _ = try client.get("/v1/lists/root/rows") }
    _ = try client.get("/v1/lists/\(UUID().uuidString)")
    _ = try client.get("/nowhere/at/all")
    let body = String(repeating: "x", count: 3_000)
    #expect(try server.connect().send("POST", "/v1/lists", ["title": .string(body)]).status == 413)
    let follower = try EventReader(try server.connect(), "/v1/events")
    try #require(follower.head.status == 200)
    #expect(try client.get("/v1/events").status == 503)

    let metrics = try metrics(client)
    func requests(_ method: String, _ route: String, _ status: String) -> Double? {
      metrics[
        "rowhouse_http_requests_total", ["method": method, "route": route, "status": status]]
    }
    #expect(requests("GET", "/v1/lists/{listId}", "200") == 5)
    #expect(requests("GET", "/v1/lists/{listId}", "404") == 1)
    #expect(requests("GET", "/v1/lists/{listId}/rows", "200") == 3)
    #expect(requests("POST", "/v1/lists", "201") == 1)
    #expect(requests("GET", "", "404") == 1)
    let duration = "rowhouse_http_request_duration_seconds"
    let route = ["method": "GET", "route": "/v1/lists/{listId}"]
    #expect(metrics[duration + "_count", route] == 6)
    #expect(metrics[duration + "_bucket", route.merging(["le": "+Inf"]) { $1 }] == 6)
    let sum = try #require(metrics[duration + "_sum", route])
    #expect(sum > 0 && sum < 60)
    let refused = "rowhouse_http_refused_requests_total"
    #expect(metrics[refused, ["reason": "body_too_large"]] == 1)
    #expect(metrics[refused, ["reason": "too_many_streams"]] == 1)
    #expect(metrics["rowhouse_event_streams"] == 1)
    #expect(metrics["rowhouse_event_streams_opened_total"] == 1)
    #expect(metrics["rowhouse_event_streams_dropped_total"] == 0)
    #expect(try #require(metrics["rowhouse_http_connections"]) >= 2)
    #expect(metrics["rowhouse_writer_queue"] == 0)
    #expect(try #require(metrics["rowhouse_database_bytes"]) > 0)
    #expect(try #require(metrics["rowhouse_wal_bytes"]) > 0)
    #expect(
      metrics["rowhouse_build_info"] == 1
        && metrics.samples.first { $0.name == "rowhouse_build_info" }?.labels.keys.sorted()
          == ["build", "sqlite", "version"]
    )
    for sample in metrics.samples {
      #expect(!sample.labels.values.contains { $0.contains(list) || $0.contains("nowhere") })
    }
  }

  @Test func `count each write that was committed`() throws {
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let before = try metrics(client)
    for number in 0..<10 { _ = try client.makeList("Shelf \(number)") }
    let after = try metrics(client)
    for name in ["commit_writes_sum", "commit_writes_count", "commit_duration_seconds_count"] {
      let (first, last) = (before["rowhouse_" + name], after["rowhouse_" + name])
      // When it starts the store looks after photos, which is one more.
      #expect((10...11).contains(try #require(last) - (try #require(first))), "\(name)")
    }
  }

  @Test func `have the same values of the process as the kernel`() throws {
    let before = Date().timeIntervalSince1970
    let server = try RunningServer(database: ":memory:")
    let metrics = try metrics(try server.connect())
    let start = try #require(metrics["process_start_time_seconds"])
    #expect(start >= before - 1 && start <= Date().timeIntervalSince1970)
    let resident = try #require(metrics["process_resident_memory_bytes"])
    let virtual = try #require(metrics["process_virtual_memory_bytes"])
    #expect(resident > 1_000_000 && resident < virtual)
    let folder = "/proc/\(server.process.pid)/fd"
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: folder).count
    #expect(abs(try #require(metrics["process_open_fds"]) - Double(descriptors)) <= 2)
    #expect(try #require(metrics["process_max_fds"]) >= 256)
    #expect(try #require(metrics["process_cpu_seconds_total"]) > 0)
  }

  @Test func `are for an administrator's token once there are tokens`() throws {
    func token(_ role: String) throws -> String {
      try Rowhouse.run(
        "token", "create", "--create", "--name", role, "--role", role, "--db", folder.database
      ).output.trimmingCharacters(in: .newlines)
    }
    let tokens = try ["reader", "editor", "owner", "admin"].map(token)
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    #expect(try client.get("/metrics").status == 401)
    let statuses = try tokens.map {
      try client.get("/metrics", ["Authorization": "Bearer \($0)"]).status
    }
    #expect(statuses == [403, 403, 403, 200])
    let socket = try Client(unixPath: folder.database + ".socket")
    #expect(try socket.get("/metrics").status == 200)
  }
}
