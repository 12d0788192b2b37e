import HTTP

/// One request that has been read whole, or refused, and its answer as soon as there is one.
struct Exchange {
  enum State {
    case waiting
    case answered(Response)
    case streaming(Response, any BodySource)
  }

  let version: Version
  let isHead: Bool
  /// Whether the connection closes after the answer.
  var closes: Bool
  /// Bytes of body that are given back to the budget once there is an answer.
  var bodyBytes = 0
  var state = State.waiting

  init(_ head: RequestHead, closes: Bool? = nil, bodyBytes: Int = 0) {
    version = head.version
    isHead = head.method == .head
    self.closes = closes ?? !head.keepsConnection
    self.bodyBytes = bodyBytes
  }

  /// A request too broken to know more of it.
  init() {
    version = .http11
    isHead = false
    closes = true
  }
}
