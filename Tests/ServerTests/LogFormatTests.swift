import HTTP
import Testing

@testable import Server

@Suite struct LogFormatTests {
  private func line(_ format: LogFormat, _ record: AccessRecord) -> String {
    var formatter = LogFormatter(format)
    var record = record
    record.end(at: 1_250, time: 1_793_000_123_045)
    var line: [UInt8] = []
    formatter.append(record, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  private func line(_ format: LogFormat, _ level: LogLevel, _ text: String) -> String {
    var formatter = LogFormatter(format)
    var line: [UInt8] = []
    formatter.append(LogMessage(level: level, time: 1_793_000_123_045, text: text), to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  private func record(
    _ method: HTTP.Method? = .get, route: StaticString? = "/v1/lists/{listId}/rows",
    status: Int? = 200,
    bytes: Int = 5712, id: String? = "r-1", token: (high: UInt64, low: UInt64)? = nil,
    trace: String? = nil,
    peer: Peer? = Peer(family: .v4, high: 0x7F00_0001_0000_0000, port: 5234)
  ) -> AccessRecord {
    AccessRecord(
      method: method, route: route, status: status, bytes: bytes, requestID: id, token: token,
      traceParent: trace, peer: peer, began: 1_000)
  }

  private static let token = (
    high: UInt64(0x01A1_FC12_DE81_7266), low: UInt64(0xB69C_1838_9761_A7FB)
  )
  private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func `a request's line of text has twelve words`() {
    #expect(
      line(.text, record(token: Self.token, trace: Self.trace))
        == "2026-10-26T07:35:23.045Z info request 127.0.0.1:5234 GET /v1/lists/{listId}/rows 200 "
        + "5712 250 r-1 01a1fc12-de81-7266-b69c-18389761a7fb \(Self.trace)\n")
  }

  @Test func `a request's line of JSON has twelve members`() {
    let expected =
      #"{"time":"2026-10-26T07:35:23.045Z","level":"info","event":"request","#
      + #""peer":"127.0.0.1:5234","method":"GET","#
      + #""route":"/v1/lists/{listId}/rows","status":200,"bytes":5712,"microseconds":250,"#
      + #""requestId":"r-1","token":"01a1fc12-de81-7266-b69c-18389761a7fb","#
      + #""traceparent":"\#(Self.trace)"}"# + "\n"
    #expect(line(.json, record(token: Self.token, trace: Self.trace)) == expected)
  }

  @Test func `what is not known is a hyphen or null`() {
    let unknown = record(nil, route: nil, status: nil, bytes: 0, id: nil, peer: nil)
    #expect(
      line(.text, unknown) == "2026-10-26T07:35:23.045Z info request - - - - 0 250 - - -\n")
    #expect(
      line(.json, unknown)
        == #"{"time":"2026-10-26T07:35:23.045Z","level":"info","event":"request","peer":null,"#
        + #""method":null,"route":null,"status":null,"bytes":0,"microseconds":250,"#
        + #""requestId":null,"token":null,"traceparent":null}"# + "\n")
  }

  @Test(arguments: [
    (Peer(family: .unix), "unix"),
    (Peer(family: .v6, low: 1, port: 80), "[0:0:0:0:0:0:0:1]:80"),
    (Peer(family: .v4, high: 0xFFFF_FFFF_0000_0000, port: 65535), "255.255.255.255:65535"),
  ])
  func `peers of each family are named`(peer: Peer, name: String) {
    #expect(line(.text, record(peer: peer)).split(separator: " ")[3] == name)
  }

  @Test(arguments: [
    ("A\nB", "A\\u000aB"), ("\u{1B}[31m", "\\u001b[31m"), ("\"", "\\u0022"), ("\\", "\\u005c"),
    ("a b", "a\\u0020b"), ("\u{7F}\u{9B}", "\\u007f\\u009b"),
    ("é\u{1F600}", "\\u00e9\\ud83d\\ude00"),
    ("\u{0}", "\\u0000"), ("{listId}", "{listId}"),
  ])
  func `nothing that a client may send can end a line, a word or a string`(
    text: String, expected: String
  ) {
    let hostile = record(.other(text), id: text)
    let words = line(.text, hostile).dropLast().split(
      separator: " ", omittingEmptySubsequences: false)
    #expect(words.count == 12)
    #expect(words[4] == expected)
    #expect(words[9] == expected)
    #expect(
      line(.json, hostile).hasSuffix(
        #""method":"\#(expected)","route":"/v1/lists/{listId}/rows","status":200,"bytes":5712,"#
          + #""microseconds":250,"requestId":"\#(expected)","token":null,"traceparent":null}"#
          + "\n"))
  }

  @Test(arguments: [
    ("Serving /srv/Möbel 1.sqlite.", "Serving /srv/Möbel 1.sqlite."),
    ("a\nb\r\u{1B}[2J", "a\\u000ab\\u000d\\u001b[2J"), ("\u{9B}31m\u{7F}", "\\u009b31m\\u007f"),
    ("say \"x\\y\"", "say \\u0022x\\u005cy\\u0022"), ("\u{202E}txt\u{2028}", "\\u202etxt\\u2028"),
    ("\u{E000}\u{F0000}", "\\ue000\\udb80\\udc00"), ("يسار", "يسار"),
  ])
  func `a message stays readable, and cannot end its line or move a terminal`(
    text: String, expected: String
  ) {
    #expect(
      line(.text, .warning, text) == "2026-10-26T07:35:23.045Z warning server \(expected)\n")
    #expect(
      line(.json, .error, text)
        == #"{"time":"2026-10-26T07:35:23.045Z","level":"error","event":"server","#
        + #""message":"\#(expected)"}"# + "\n")
  }

  @Test(arguments: [
    (LogFormat.text, "2026-10-26T07:35:23.045Z warning dropped 12\n"),
    (
      LogFormat.json,
      #"{"time":"2026-10-26T07:35:23.045Z","level":"warning","event":"dropped","count":12}"# + "\n"
    ),
  ])
  func `lines that are missing are counted in their place`(format: LogFormat, expected: String) {
    var formatter = LogFormatter(format)
    var line: [UInt8] = []
    formatter.append(dropped: 12, time: 1_793_000_123_045, to: &line)
    #expect(String(decoding: line, as: UTF8.self) == expected)
  }
}
