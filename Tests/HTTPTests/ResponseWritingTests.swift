import HTTP
import Testing

@Suite struct ResponseWritingTests {
  private static let date = Array("Date: D\r\n".utf8)

  private func written(
    _ response: Response, version: Version = .http11, isHead: Bool = false, closes: Bool = false
  ) -> String {
    var output: [UInt8] = []
    ResponseEncoder.write(
      response, to: &output, date: Self.date, version: version, isHead: isHead, closes: closes)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `an answer has its fields, date, length and body`() {
    let response = Response(status: 200, fields: ["A": "b", "C": "d"], body: Array("hello".utf8))
    #expect(
      written(response)
        == "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\nDate: D\r\nContent-Length: 5\r\n\r\nhello")
  }

  @Test func `an answer to HEAD has the length of GET and no body`() {
    let response = Response(status: 404, body: Array("hello".utf8))
    #expect(
      written(response, isHead: true)
        == "HTTP/1.1 404 Not Found\r\nDate: D\r\nContent-Length: 5\r\n\r\n")
  }

  @Test(arguments: [204, 304])
  func `an answer without a body has no length either`(status: Int) {
    let text = written(Response(status: status, fields: ["ETag": "\"1\""], body: [1, 2]))
    #expect(text.hasSuffix("ETag: \"1\"\r\nDate: D\r\n\r\n"))
  }

  @Test(arguments: [
    (Version.http11, true, "Connection: close\r\n"), (.http11, false, ""),
    (.http10, false, "Connection: keep-alive\r\n"), (.http10, true, "Connection: close\r\n"),
  ])
  func `Connection is sent where the version does not imply it`(
    version: Version, closes: Bool, line: String
  ) {
    #expect(
      written(Response(status: 200), version: version, closes: closes)
        == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\n\(line)\r\n")
  }

  @Test func `the server's own fields can't be set`() {
    let fields: Fields = [
      "date": "x", "Content-Length": "9", "A": "b", "TRANSFER-ENCODING": "chunked",
      "connection": "x", "Keep-Alive": "x", "C": "d",
    ]
    #expect(
      written(Response(status: 200, fields: fields))
        == "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\nDate: D\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `a field can't break out of its line`() {
    var fields = Fields()
    fields.append("Location", "/a\r\nSet-Cookie: x\0\u{7F}")
    fields.append("Bad Name", "x")
    fields.append("", "x")
    fields.append("A\r\nB", "x")
    #expect(fields.all.map(\.name) == ["Location"])
    #expect(fields["location"] == "/a  Set-Cookie: x  ")
  }

  @Test func `chunks carry their size, and none is the end by mistake`() {
    var output: [UInt8] = []
    ResponseEncoder.writeChunk([], to: &output)
    ResponseEncoder.writeChunk(Array(repeating: 0x61, count: 26), to: &output)
    ResponseEncoder.writeLastChunk(to: &output)
    #expect(
      String(decoding: output, as: UTF8.self)
        == "1a\r\n\(String(repeating: "a", count: 26))\r\n0\r\n\r\n")
  }
}
