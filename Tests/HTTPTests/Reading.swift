import HTTP
import Testing

/// What a parser made of some bytes, in order.
enum Outcome: Equatable, CustomStringConvertible {
  /// Method, target and body of a whole request.
  case request(String, String, body: String)
  case fault(RequestFault)
  /// A request had begun and did not end.
  case unfinished

  static func get(_ target: String) -> Outcome { .request("GET", target, body: "") }
  static func post(_ body: String) -> Outcome { .request("POST", "/", body: body) }

  var description: String {
    switch self {
    case .request(let method, let target, let body): "\(method) \(target) \(body)"
    case .fault(let fault): "\(fault)"
    case .unfinished: "unfinished"
    }
  }
}

/// Feeds pieces to one parser as a connection would.
struct Reading {
  private(set) var outcomes: [Outcome] = []
  private(set) var heads: [RequestHead] = []

  init(_ pieces: [ArraySlice<UInt8>], limits: HeadLimits = HeadLimits()) {
    var parser = RequestParser(limits: limits)
    var body: [UInt8] = []
    var isOpen = true
    for piece in pieces {
      let input = Array(piece)
      var offset = 0
      reading: while isOpen {
        switch parser.next(input.span, from: &offset) {
        case .more: break reading
        case .head(let head):
          heads.append(head)
          if !head.hasBody { close(head, body) }
        case .body(let range): body += input[range]
        case .end:
          if let head = heads.last { close(head, body) }
          body = []
        case .fault(let fault):
          outcomes.append(.fault(fault))
          isOpen = false
        }
      }
    }
    if isOpen, !parser.isBetweenRequests { outcomes.append(.unfinished) }
  }

  init(_ text: String, limits: HeadLimits = HeadLimits()) {
    self.init([Array(text.utf8)[...]], limits: limits)
  }

  private mutating func close(_ head: RequestHead, _ body: [UInt8]) {
    var target = String(decoding: head.rawPath, as: UTF8.self)
    if head.isAboutServer { target = "*" }
    if let query = head.rawQuery { target += "?" + String(decoding: query, as: UTF8.self) }
    outcomes.append(
      .request(head.method.name, target, body: String(decoding: body, as: UTF8.self)))
  }
}

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
