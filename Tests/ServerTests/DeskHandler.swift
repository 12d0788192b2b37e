import HTTP

/// A handler whose paths say how to answer: the first segment names the kind, the second what the test calls it.
final class DeskHandler: Handler {
  private let desk: Desk

  init(_ desk: Desk, _ waker: LoopWaker) {
    self.desk = desk
    desk.change { $0.waker = waker }
  }

  func begin(_ head: RequestHead) -> Admission {
    let answer: ([UInt8], Responder) -> Reply = { [self] in handle(head, $0, $1) }
    let segments = head.segments()
    switch segments.first {
    case "early": return .respond(Response(status: 404, body: Array("early".utf8)))
    case "upload":
      let feed = Feed(limit: 1 << 20)
      return .stream(named(segments, feed))
    case "held-upload":
      let feed = Feed()
      feed.change { $0.isHeld = true }
      return .stream(named(segments, feed))
    case "refused-upload":
      let feed = Feed()
      feed.change { $0.refusal = Response(status: 415) }
      return .stream(named(segments, feed))
    case "small": return .buffer(limit: 10, answer: answer)
    default: return .buffer(limit: 1 << 20, answer: answer)
    }
  }

  private func handle(_ head: RequestHead, _ body: [UInt8], _ responder: Responder) -> Reply {
    let segments = head.segments()
    let name = segments.count > 1 ? segments[1] : ""
    desk.change(\.work)?()
    desk.change {
      $0.handled += 1
      $0.handledInThis += 1
      if let peer = head.peer { $0.peers.append(peer) }
    }
    switch segments.first {
    case "echo", "small": return .now(Response(status: 200, body: body))
    case "known":
      var response = Response(status: 200, body: body)
      response.route = "/known/{name}"
      response.fields.append("X-Request-Id", "id-\(name)")
      return .now(response)
    case "later":
      desk.change { $0.responders[name] = responder }
      return .later
    case "dropped": return .later
    case "big":
      let body = [UInt8](repeating: 0x78, count: Int(name) ?? 0)
      return .now(Response(status: 200, body: body))
    case "status":
      return .now(Response(status: Int(name) ?? 200, fields: ["ETag": "\"1\""]))
    case "stream": return .now(Response(status: 200, stream: named(segments, Feed())))
    case "sized":
      return .now(Response(status: 200, stream: named(segments, Feed(length: 10))))
    case "events":
      return .now(Response(status: 200, stream: named(segments, Feed(isEndless: true))))
    default: return .now(Response(status: 200, body: Array((segments.first ?? "").utf8)))
    }
  }

  func wakeUpEnded(now: Int64) -> Int64? {
    desk.change { state in
      state.wakeUps += 1
      state.mostInOneWakeUp = max(state.mostInOneWakeUp, state.handledInThis)
      state.handledInThis = 0
      state.lastWakeUp = now
      return state.nextWakeUp
    }
  }

  func refusal(_ fault: RequestFault, to head: RequestHead?) -> Response {
    var response = Response(
      status: fault.status, fields: ["Content-Type": "text/plain"], body: Array(fault.code.utf8))
    if fault.status == 413 { response.refusal = fault.code }
    if let head { response.fields.append("Asked", String(decoding: head.rawPath, as: UTF8.self)) }
    return response
  }

  private func named(_ segments: [String], _ feed: Feed) -> Feed {
    desk.change { $0.feeds[segments.count > 1 ? segments[1] : ""] = feed }
    return feed
  }
}
