import API
import HTTP
import Support
import Testing

/// Bodies that are taken and given in pieces.
extension Service {
  /// How a body that is taken in pieces would be taken.
  func receiver(_ target: String, fields: Fields = Fields()) throws -> any BodyReceiver {
    var fields = fields
    fields.append("Content-Length", "1")
    let head = try RequestHead(method: .post, target: target, fields: fields)
    guard case .stream(let receiver) = handler.begin(head) else { throw Unanswered() }
    return receiver
  }

  /// Where the body of an answer to GET comes from.
  func source(_ target: String) throws -> any BodySource {
    let head = try RequestHead(method: .get, target: target, fields: Fields())
    let responder = Responder(ticket: Ticket(connection: 0, exchange: 0), sink: Inbox())
    guard case .stream(_, let source) = handler.handle(Request(head: head), responder) else {
      throw Unanswered()
    }
    responder.retire()
    return source
  }

  /// In pieces of odd sizes, as a network brings them.
  func upload(_ bytes: [UInt8], to receiver: any BodyReceiver) throws -> Answer {
    guard bytes.count <= receiver.limit else {
      receiver.brokenOff()
      return Answer(handler.refusal(413, code: "body_too_large", detail: "Too large."))
    }
    let sink = Inbox()
    let ticket = Ticket(connection: 0, exchange: 0)
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + (start == 0 ? 7 : 50_001))
      switch receiver.receive(bytes.span.extracting(start..<end)) {
      case .more: break
      case .wait: throw Unanswered()
      case .respond(let response): return Answer(response)
      }
      start = end
    }
    let responder = Responder(ticket: ticket, sink: sink)
    switch receiver.finish(responder) {
    case .response(let response):
      responder.retire()
      return Answer(response)
    case .stream: throw Unanswered()
    case .deferred: return Answer(try #require(sink.answer).0)
    }
  }
}

extension BodySource {
  /// All that it gives, where nothing keeps it waiting.
  func whole() throws -> [UInt8] {
    started(StreamSignal(ticket: Ticket(connection: 0, exchange: 0), sink: Inbox()))
    var body: [UInt8] = []
    while true {
      switch pull(into: &body, limit: 30_000) {
      case .more: continue
      case .end: return body
      case .wait, .fail: throw Service.Unanswered()
      }
    }
  }
}
