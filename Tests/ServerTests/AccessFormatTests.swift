import HTTP
import Testing

@testable import Server

@Suite struct AccessFormatTests {
  private func line(_ format: AccessFormat, _ record: AccessRecord) -> String {
    var formatter = AccessFormatter(format)
    var record = record
    record.end(at: 1_250, time: 1_793_000_123_045)
    var line: [UInt8] = []
    formatter.append(record, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  private func record(
    _ method: HTTP.Method? = .get, route: StaticString? = "/v1/lists/{listId}/rows",
    status: Int? = 200,
    bytes: Int = 5712, id: String? = "r-1",
    peer: Peer? = Peer(family: .v4, high: 0x7F00_0001_0000_0000, port: 5234)
  ) -> AccessRecord {
    AccessRecord(
      method: method, route: route, status: status, bytes: bytes, requestID: id, peer: peer,
      began: 1_000)
  }

  @Test func `a line of text has eight words`() {
    #expect(
      line(.text, record())
        == "2026-10-26T07:35:23.045Z 127.0.0.1:5234 GET /v1/lists/{listId}/rows 200 5712 250 r-1\n")
  }

  @Test func `a line of JSON has eight members`() {
    let expected =
      #"{"time":"2026-10-26T07:35:23.045Z","peer":"127.0.0.1:5234","method":"GET","#
      + #""route":"/v1/lists/{listId}/rows","status":200,"bytes":5712,"microseconds":250,"#
      + #""requestId":"r-1"}"# + "\n"
    #expect(line(.json, record()) == expected)
  }

  @Test func `what is not known is a hyphen or null`() {
    let unknown = record(nil, route: nil, status: nil, bytes: 0, id: nil, peer: nil)
    #expect(line(.text, unknown) == "2026-10-26T07:35:23.045Z - - - - 0 250 -\n")
    #expect(
      line(.json, unknown)
        == #"{"time":"2026-10-26T07:35:23.045Z","peer":null,"method":null,"route":null,"#
        + #""status":null,"bytes":0,"microseconds":250,"requestId":null}"# + "\n")
  }

  @Test(arguments: [
    (Peer(family: .unix), "unix"),
    (Peer(family: .v6, low: 1, port: 80), "[0:0:0:0:0:0:0:1]:80"),
    (Peer(family: .v4, high: 0xFFFF_FFFF_0000_0000, port: 65535), "255.255.255.255:65535"),
  ])
  func `peers of each family are named`(peer: Peer, name: String) {
    #expect(line(.text, record(peer: peer)).split(separator: " ")[1] == name)
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
    #expect(words.count == 8)
    #expect(words[2] == expected)
    #expect(words[7] == expected)
    #expect(
      line(.json, hostile).hasSuffix(
        #""method":"\#(expected)","route":"/v1/lists/{listId}/rows","status":200,"bytes":5712,"#
          + #""microseconds":250,"requestId":"\#(expected)"}"# + "\n"))
  }

  @Test(arguments: [
    (AccessFormat.text, "2026-10-26T07:35:23.045Z dropped 12\n"),
    (AccessFormat.json, #"{"time":"2026-10-26T07:35:23.045Z","dropped":12}"# + "\n"),
  ])
  func `lines that are missing are counted in their place`(format: AccessFormat, expected: String) {
    var formatter = AccessFormatter(format)
    var line: [UInt8] = []
    formatter.append(dropped: 12, time: 1_793_000_123_045, to: &line)
    #expect(String(decoding: line, as: UTF8.self) == expected)
  }
}
