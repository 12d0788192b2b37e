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
    let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: Inbox())
    guard case .now(let response) = handler.answer(head, by: responder),
      let source = response.stream
    else { throw Unanswered() }
    responder.retire()
    return source
  }
}

extension BodySource {
  /// All that it gives, where nothing keeps it waiting.
  func whole() throws -> [UInt8] {
    started(StreamSignal(ticket: Ticket(connection: 0, request: 0), sink: Inbox()))
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

extension APIHandler {
  /// The reply to a request whose body, if any, is buffered.
  func answer(_ head: RequestHead, _ body: [UInt8] = [], by responder: Responder) -> Reply {
    switch begin(head) {
    case .respond(let response): return .now(response)
    case .buffer(_, let answer): return answer(body, responder)
    case .stream(let receiver): return receiver.finish(responder)
    }
  }
}
