import HTTP
import Testing

@Suite struct HeadLimitTests {
  private static let limits = {
    var limits = HeadLimits()
    limits.requestLine = 20
    limits.headerSection = 40
    limits.fieldCount = 3
    return limits
  }()

  /// Request lines of 20 and 21 bytes, sections of 40 and 41, three lines and four.
  private static let rows: [Row] = [
    Row("GET /12345 HTTP/1.1\r\nHost: h\r\n\r\n", .fault(.requestLineTooLong)),
    Row("GET /1234 HTTP/1.1\r\nHost: h\r\n\r\n", .get("/1234")),
    Row("GET /12345678901234567890", .fault(.requestLineTooLong)),
    Row("GET / HTTP/1.1\r\nHost: h\r\nAAAA: bbbbbbbbbbbbbbbbbbbbb\r\n\r\n", .get("/")),
    Row(
      "GET / HTTP/1.1\r\nHost: h\r\nAAAA: bbbbbbbbbbbbbbbbbbbbbb\r\n\r\n", .fault(.headerTooLarge)
    ),
    Row(
      "GET / HTTP/1.1\r\nHost: h\r\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      .fault(.headerTooLarge)),
    Row("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\nC: d\r\n\r\n", .get("/")),
    Row("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\nC: d\r\nE: f\r\n\r\n", .fault(.tooManyFields)),
  ]

  @Test(arguments: rows)
  func `a limit holds to the byte however the request is split`(row: Row) {
    #expect(Reading([row.raw[...]], limits: Self.limits).outcomes == row.expected)
    let bytes = row.raw.indices.map { row.raw[$0...$0] }
    #expect(Reading(bytes, limits: Self.limits).outcomes == row.expected)
    for split in row.raw.indices {
      let pieces = [row.raw[..<split], row.raw[split...]]
      #expect(Reading(pieces, limits: Self.limits).outcomes == row.expected, "split at \(split)")
    }
  }

  @Test func `the defaults let a line of 8 KiB and 100 fields pass and no more`() {
    func line(_ length: Int) -> String {
      "GET /\(String(repeating: "a", count: length - 16)) HTTP/1.1\r\nHost: h\r\n\r\n"
    }
    #expect(Reading(line(8192)).heads.count == 1)
    #expect(Reading(line(8193)).outcomes == [.fault(.requestLineTooLong)])
    func fields(_ count: Int) -> String {
      "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "A: b\r\n", count: count - 1) + "\r\n"
    }
    #expect(Reading(fields(100)).heads.count == 1)
    #expect(Reading(fields(101)).outcomes == [.fault(.tooManyFields)])
  }

  @Test func `chunk extensions and trailers are bounded`() {
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    let long = String(repeating: "x", count: 40_000)
    #expect(Reading(head + "1;" + long).outcomes == [.fault(.malformedChunk)])
    let many = String(repeating: "1;aaaaaaaaaaaaaaaaaaaaaaaa\r\nb\r\n", count: 1000)
    #expect(Reading(head + many).outcomes == [.fault(.malformedChunk)])
    #expect(Reading(head + "0\r\nA: " + long).outcomes == [.fault(.malformedTrailer)])
  }
}
