import HTTP

/// A handler whose paths say how to answer: the first segment names the kind, the second what the test calls it.
final class DeskHandler: Handler {
  private let desk: Desk

  init(_ desk: Desk, _ waker: LoopWaker) {
    self.desk = desk
    desk.change { $0.waker = waker }
  }

  func begin(_ head: RequestHead) -> Admission {
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
    case "small": return .buffer(limit: 10)
    default: return .buffer(limit: 1 << 20)
    }
  }

  func handle(_ request: Request, _ responder: Responder) -> Reply {
    let segments = request.head.segments()
    let name = segments.count > 1 ? segments[1] : ""
    desk.change(\.work)?()
    desk.change {
      $0.handled += 1
      $0.handledInThis += 1
      if let peer = request.head.peer { $0.peers.append(peer) }
    }
    switch segments.first {
    case "echo", "small": return .response(Response(status: 200, body: request.body))
    case "known":
      var response = Response(status: 200, body: request.body)
      response.route = "/known/{name}"
      response.fields.append("X-Request-Id", "id-\(name)")
      return .response(response)
    case "later":
      desk.change { $0.responders[name] = responder }
      return .deferred
    case "dropped": return .deferred
    case "big":
      let body = [UInt8](repeating: 0x78, count: Int(name) ?? 0)
      return .response(Response(status: 200, body: body))
    case "status":
      return .response(Response(status: Int(name) ?? 200, fields: ["ETag": "\"1\""]))
    case "stream": return .stream(Response(status: 200), named(segments, Feed()))
    case "sized":
      return .stream(Response(status: 200), named(segments, Feed(length: 10)))
    case "events":
      return .stream(Response(status: 200), named(segments, Feed(isEndless: true)))
    default: return .response(Response(status: 200, body: Array((segments.first ?? "").utf8)))
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

  func refusal(
    _ status: Int, code: String, detail: String, to head: RequestHead?
  ) -> Response {
    var response = Response(
      status: status, fields: ["Content-Type": "text/plain"], body: Array(code.utf8))
    if status == 413 { response.refusal = code }
    if let head { response.fields.append("Asked", String(decoding: head.rawPath, as: UTF8.self)) }
    return response
  }

  private func named(_ segments: [String], _ feed: Feed) -> Feed {
    desk.change { $0.feeds[segments.count > 1 ? segments[1] : ""] = feed }
    return feed
  }
}
