import Foundation
import JSON
import Support
import Testing

/// Writes that wait together are committed together. When that commit fails, none of them has happened, and no answer
/// may show one of them.
///
/// Which writes come into one group is a matter of time here. `StorageTests` has a group that is one for certain.
@Suite(
  "A group of writes whose commit fails",
  .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct UncommittedGroupTests {
  private let disk: FaultyDisk
  private let server: RunningServer

  init() throws {
    disk = try FaultyDisk(below: try TemporaryFolder())
    server = try RunningServer(
      database: disk.folder.database, ["--log-format", "none"], environment: disk.environment())
  }

  /// A write that waits for its answer on a connection of its own.
  private func begin(
    _ method: String, _ target: String, _ body: JSONValue = JSONValue.object(JSONObject()),
    _ fields: [String: String] = [:]
  ) throws -> Client {
    let client = try server.connect()
    var writer = JSONWriter()
    writer.value(body)
    let bytes = writer.finish()
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    head += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    try client.write(Array((head + "\r\n").utf8) + bytes)
    return client
  }

  private func waitForWrites(_ count: Int) throws {
    let client = try server.connect()
    _ = try poll("\(count) writes in the queue") {
      let text = String(decoding: try client.get("/metrics").body, as: UTF8.self)
      return try MetricsText(text)["rowhouse_writer_queue"] == Double(count) ? true : nil
    }
  }

  @Test func `answers no refusal that was made on what is not there`() throws {
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    let kept = try client.makeThing("Kept", in: list)
    let gone = try client.makeThing("Gone", in: list)
    let tag = try #require(try client.get("/v1/lists/\(list)")["etag"])

    // While the first commit is held at its sync, the others come together behind it.
    disk.fail(.hold, at: 1, of: .sync, on: .wal)
    let first = try begin("PATCH", "/v1/items/\(kept)", ["notes": "first"])
    _ = try poll("the held sync") { disk.faults > 0 ? true : nil }
    var waiting: [Client] = []
    for (target, method, body, fields) in [
      ("/v1/rows/\(gone)", "DELETE", JSONValue.object(JSONObject()), [:]),
      // Refused on what the deletion has left: 412 with a delta, and 410.
      ("/v1/lists/\(list)/move-row", "POST", ["from": 0, "to": 1], ["If-Match": tag]),
      ("/v1/items/\(gone)", "PATCH", ["notes": "late"], [:]),
      ("/v1/items/\(newID())", "PATCH", ["notes": "never"], [:]),
    ] as [(String, String, JSONValue, [String: String])] {
      waiting.append(try begin(method, target, body, fields))
      try waitForWrites(waiting.count)
    }
    disk.fail(.error(EIO), at: 1, times: .max, of: .sync, on: .wal)
    disk.release()
    #expect(try first.readAnswer().status == 200)
    for client in waiting {
      // A server that ends may have no time to say so.
      guard let answer = try? client.readAnswer() else { continue }
      #expect(answer.status == 503, "\(answer.json as Any)")
      #expect(answer.at("/delta") == nil)
    }
    #expect(try server.process.waitForEnd() == .exit(74))
  }
}
