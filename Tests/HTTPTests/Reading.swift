import HTTP

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
