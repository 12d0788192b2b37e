import HTTP
import Testing

@Suite struct RequestReadingTests {
  @Test(arguments: RequestRows.all)
  func `a request fed whole is read as the table says`(row: Row) {
    #expect(Reading([row.raw[...]]).outcomes == row.expected)
  }

  @Test(arguments: RequestRows.all)
  func `a request fed byte by byte is read the same`(row: Row) {
    #expect(Reading(row.raw.indices.map { row.raw[$0...$0] }).outcomes == row.expected)
  }

  @Test(arguments: RequestRows.all)
  func `a request split anywhere is read the same`(row: Row) {
    for split in row.raw.indices {
      let pieces = [row.raw[..<split], row.raw[split...]]
      #expect(Reading(pieces).outcomes == row.expected, "split at \(split)")
    }
  }

  @Test(arguments: RequestRows.all)
  func `a request behind five others in one segment is read the same`(row: Row) {
    let first = Array("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n\r\n\r".utf8)
    let raw = Array(repeatElement(first, count: 5).joined()) + row.raw
    let expected = Array(repeating: Outcome.request("PUT", "/x", body: "\r\n\r"), count: 5)
    #expect(Reading([raw[...]]).outcomes == expected + row.expected)
  }

  @Test func `a hundred requests in one segment are a hundred requests`() {
    let all = RequestRows.all.filter {
      if case .request = $0.expected.first { $0.expected.count == 1 } else { false }
    }
    let raw = all.flatMap(\.raw)
    #expect(all.count > 70)
    #expect(Reading([raw[...]]).outcomes == all.flatMap(\.expected))
    let pieces = stride(from: 0, to: raw.count, by: 7).map { raw[$0..<min($0 + 7, raw.count)] }
    #expect(Reading(pieces).outcomes == all.flatMap(\.expected))
  }

  @Test func `nothing is read after a fault`() {
    let good = "GET /good HTTP/1.1\r\nHost: h\r\n\r\n"
    #expect(Reading("GET / HTTP/3.0\r\n\r\n" + good).outcomes == [.fault(.unsupportedVersion)])
  }

  @Test func `each byte is either allowed in a field value or refused`() {
    for byte in UInt8.min...UInt8.max where byte != 0x0D {
      let raw = Array("GET /a HTTP/1.1\r\nHost: h\r\nA: b".utf8) + [byte] + Array("c\r\n\r\n".utf8)
      let isAllowed = byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
      let expected = isAllowed ? Outcome.get("/a") : .fault(.malformedField)
      #expect(Reading([raw[...]]).outcomes == [expected], "byte \(byte)")
    }
  }

  @Test func `each byte is either allowed in a field name or refused`() {
    let token = Set(
      "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    for byte in UInt8.min...UInt8.max where byte != 0x3A {
      let raw = Array("GET /a HTTP/1.1\r\nHost: h\r\nA".utf8) + [byte] + Array("c: d\r\n\r\n".utf8)
      let expected = token.contains(byte) ? Outcome.get("/a") : .fault(.malformedField)
      #expect(Reading([raw[...]]).outcomes == [expected], "byte \(byte)")
    }
  }
}
