import Foundation
import JSON
import Support
import Testing

@Suite("The same calls get the same bytes in every run")
struct RepeatedRunTests {
  private static let runs =
    ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] == nil ? 5 : 100

  /// Sends requests one after another, and keeps all bytes that come back.
  private final class Script {
    let server: RunningServer
    private(set) var transcript: [String] = []
    private var token: String?

    init(_ server: RunningServer) { self.server = server }

    /// The body of the answer.
    @discardableResult
    func call(
      _ method: String, _ path: String, _ body: String? = nil, _ fields: String = "",
      type: String = "application/json"
    )
      throws -> JSONValue
    {
      let bytes = try whole(method, path, body, fields, type: type)
      transcript.append("\(method) \(path)\n\(bytes)")
      guard let end = bytes.range(of: "\r\n\r\n") else { return .null }
      return (try? JSONReader.parse(Array(bytes[end.upperBound...].utf8))) ?? .null
    }

    private func whole(
      _ method: String, _ path: String, _ body: String?, _ fields: String, type: String
    ) throws -> String {
      var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)"
      if let token { head += "Authorization: Bearer \(token)\r\n" }
      if let body { head += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n" }
      let client = try server.connect()
      try client.write(Array((head + "\r\n" + (body ?? "")).utf8))
      return try Self.rest(of: client)
    }

    static func rest(of client: Client) throws -> String {
      var bytes: [UInt8] = []
      while let piece = try client.readSome() { bytes += piece }
      return String(decoding: bytes, as: UTF8.self)
    }

    func show(_ token: String?) { self.token = token }

    /// Follows all changes while `body` runs. The server cuts the stream after them.
    ///
    /// - Parameter body: waits for the next event with the function that it is given, so that no two come together.
    func watching(_ body: (_ wait: () throws -> Void) throws -> Void) throws {
      let client = try server.connect()
      try client.write(Array("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      var text = ""
      func read(until end: String) throws {
        let start = text.endIndex
        while !text[start...].contains(end), let piece = try client.readSome() {
          text += String(decoding: piece, as: UTF8.self)
        }
      }
      try read(until: "event: position")
      try body { try read(until: "event: change") }
      transcript.append(text + (try Self.rest(of: client)))
    }
  }

  private func id(_ answer: JSONValue) throws -> String { try #require(answer["id"]?.text) }

  private func play(_ script: Script) throws {
    try script.call("GET", "/v1/lists/root/rows")
    let room = try id(try script.call("POST", "/v1/lists", #"{"title": "Room"}"#))
    let saw = try id(
      try script.call(
        "POST", "/v1/lists/\(room)/items", #"{"name": "Saw", "tags": ["tool"]}"#,
        "Idempotency-Key: a\r\n"))
    try script.call(
      "POST", "/v1/lists/\(room)/items", #"{"name": "Saw", "tags": ["tool"]}"#,
      "Idempotency-Key: a\r\n")
    for _ in 0..<3 { try script.call("POST", "/v1/lists/\(room)/items/random", "{}") }
    try script.call("POST", "/v1/lists/\(room)/move-row", #"{"from": 0, "to": 2}"#)
    try script.call("POST", "/v1/lists/\(room)/move-row", #"{"from": 9, "to": 2}"#)
    try script.call("PATCH", "/v1/items/\(saw)", #"{"notes": "Sharp"}"#, "If-Match: \"1\"\r\n")
    try script.call("PATCH", "/v1/items/\(saw)", #"{"notes": "Sharp"}"#)
    try script.call("GET", "/v1/items/\(saw)", nil, "Accept-Language: ar\r\n")
    try script.call("GET", "/v1/search?q=sharp")
    try script.call("GET", "/v1/tags")
    let navigator = try id(try script.call("POST", "/v1/navigators", #"{"name": "phone"}"#))
    try script.call("GET", "/v1/navigators/\(navigator)")
    try script.call("POST", "/v1/items/\(saw)/photos", Self.photo, type: "image/gif")
    try script.call("GET", "/v1/lists/\(room)/rows.csv")
    try script.call("DELETE", "/v1/items/\(saw)")
    try script.call("POST", "/v1/changes/6/undo", "{}")
    try script.call("GET", "/v1/trash")
    try script.call("GET", "/v1/changes")
    try script.call("GET", "/v1/export")
    try script.call(
      "POST", "/v1/test/faults",
      #"{"seed": 3, "rules": [{"route": "/v1/events", "effect": "cutEvents", "events": 3}, {"path": "/v1/me", "share": 0.5, "effect": "refuse", "status": 503}]}"#
    )
    try script.watching { wait in
      for name in ["a", "b", "c"] {
        try script.call("POST", "/v1/lists/root/items", #"{"name": "\#(name)"}"#)
        try wait()
      }
    }
    for _ in 0..<6 { try script.call("GET", "/v1/me") }
    try script.call("POST", "/v1/test/clock", #"{"advance": 2678400}"#)
    try script.call("GET", "/v1/trash")
    let token = try #require(
      try script.call("POST", "/v1/tokens", #"{"name": "App", "role": "admin"}"#)["token"]?.text)
    try script.call("GET", "/v1/about")
    script.show(token)
    try script.call("GET", "/v1/tokens")
    try script.call("GET", "/v1/test/requests")
    script.show(nil)
    try script.call("DELETE", "/v1/test/requests")
    try script.call("POST", "/v1/test/reset")
  }

  /// A GIF of one pixel, in ASCII so that it is a String.
  private static let photo =
    "GIF89a\u{1}\0\u{1}\0\0\0\0!\u{1}\0\0,\0\0\0\0\u{1}\0\u{1}\0\0\u{2}\u{2}D\u{1}\0;"

  @Test func `on a new server, and after a reset`() throws {
    var first: [String]?
    for run in 0..<(Self.runs + 1) / 2 {
      let server = try RunningServer(
        database: ":memory:",
        [
          "--test-mode", "--clock", "fixed", "--ids", "sequential", "--seed", "demo",
          "--event-heartbeat", "24h",
        ])
      for round in 0..<2 {
        let script = Script(server)
        try play(script)
        guard let first else {
          first = script.transcript
          #expect(script.transcript.count > 40)
          continue
        }
        #expect(script.transcript.count == first.count)
        for (now, before) in zip(script.transcript, first) where now != before {
          Issue.record("Run \(run), round \(round):\n\(now)\n\nThe first run:\n\(before)")
          return
        }
      }
      try server.stop()
    }
  }
}
