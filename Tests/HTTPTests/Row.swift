import Testing

/// Raw bytes beside what must be read from them; written in Latin-1, so that every byte has a character.
struct Row: CustomTestStringConvertible, Sendable {
  let raw: [UInt8]
  let expected: [Outcome]
  let name: String

  init(_ raw: String, _ expected: Outcome...) {
    self.raw = raw.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    self.expected = expected
    name = raw.debugDescription
  }

  var testDescription: String { String(name.prefix(100)) }

  /// A GET with these further lines.
  static func fields(_ lines: String, _ expected: Outcome) -> Row {
    Row("GET /a HTTP/1.1\r\nHost: h\r\n\(lines)\r\n", expected)
  }

  /// A GET of that target.
  static func target(_ target: String, _ expected: Outcome) -> Row {
    Row("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n", expected)
  }

  static func host(_ host: String, _ expected: Outcome) -> Row {
    Row("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n", expected)
  }

  /// A POST with these lines and what follows them.
  static func post(_ lines: String, _ body: String, _ expected: Outcome...) -> Row {
    var row = Row("POST / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\(body)")
    row = Row(raw: row.raw, expected: expected, name: row.name)
    return row
  }

  static func chunked(_ body: String, _ expected: Outcome...) -> Row {
    let row = Row("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
    return Row(raw: row.raw, expected: expected, name: body.debugDescription)
  }

  private init(raw: [UInt8], expected: [Outcome], name: String) {
    self.raw = raw
    self.expected = expected
    self.name = name
  }
}
