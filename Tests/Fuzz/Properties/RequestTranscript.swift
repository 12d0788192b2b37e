import HTTP

/// What the parser makes of some bytes that arrive in pieces, as a text that two ways of arriving can be compared by.
package struct RequestTranscript: Equatable, Sendable {
  package private(set) var text: [UInt8] = []
  private var body: [UInt8] = []
  private var isOpen = true

  /// `limits` are those of a small server, so that short inputs reach them.
  package static let limits = {
    var limits = HeadLimits()
    limits.requestLine = 256
    limits.headerSection = 1024
    limits.fieldCount = 12
    return limits
  }()

  package init(_ bytes: [UInt8], splitBy sizes: some Sequence<Int>) {
    var parser = RequestParser(limits: Self.limits)
    var start = 0
    for size in sizes where start < bytes.count {
      let end = min(bytes.count, start + max(1, size))
      feed(Array(bytes[start..<end]), to: &parser)
      start = end
    }
    if start < bytes.count { feed(Array(bytes[start...]), to: &parser) }
    if isOpen { note(parser.isBetweenRequests ? "complete" : "unfinished") }
  }

  private mutating func feed(_ input: [UInt8], to parser: inout RequestParser) {
    var offset = 0
    while isOpen {
      let before = offset
      let event = parser.next(input.span, from: &offset)
      precondition((before...input.count).contains(offset), "the parser moved outside its input")
      switch event {
      case .more:
        precondition(offset == input.count, "the parser asked for more before it took everything")
        return
      case .head(let head): note(head)
      case .body(let range):
        precondition(range.lowerBound >= before && range.upperBound <= input.count)
        body += input[range]
      case .end:
        note("body", body)
        body = []
      case .fault(let fault):
        // A body that breaks off has been given as far as it came, which depends on the pieces' ends only by what
        // was still to be looked at.
        note("fault \(fault)", body)
        isOpen = false
      }
    }
  }

  private mutating func note(_ head: RequestHead) {
    note("\(head.method.name) \(head.version)", Array(head.rawPath))
    note("query", head.rawQuery.map { Array($0) } ?? [0x2D])
    for segment in head.segments() { note("segment", Array(segment.utf8)) }
    for (name, value) in head.query() ?? [] { note(name, Array(value.utf8)) }
    for (name, value) in head.fields.all { note(name, Array(value.utf8)) }
    note(
      "length \(head.contentLength ?? -1) chunked \(head.isChunked) "
        + "continue \(head.expectsContinue) keeps \(head.keepsConnection) "
        + "server \(head.isAboutServer)")
    precondition(!(head.isChunked && head.contentLength != nil), "framed in two ways")
    precondition(
      head.version == .http10 || head.fields.values("host").count == 1, "not exactly one Host")
  }

  private mutating func note(_ name: String, _ value: [UInt8] = []) {
    text += Array(name.utf8) + [0x3A] + value + [0x0A]
  }
}
