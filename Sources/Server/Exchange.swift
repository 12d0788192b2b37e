import HTTP

/// One request that has been read whole, or refused, and its answer as soon as there is one.
struct Exchange {
  enum State {
    case waiting
    case answered(Response)
    case streaming(Response, any BodySource)
  }

  let version: Version
  let method: Method?
  /// When the request's first byte was handled, by the loop's stopwatch.
  let began: Int64
  /// Whether the connection closes after the answer.
  var closes: Bool
  /// Bytes of body that are given back to the budget once there is an answer.
  var bodyBytes = 0
  var state = State.waiting

  var isHead: Bool { method == .head }

  init(_ head: RequestHead, began: Int64, closes: Bool? = nil, bodyBytes: Int = 0) {
    version = head.version
    method = head.method
    self.began = began
    self.closes = closes ?? !head.keepsConnection
    self.bodyBytes = bodyBytes
  }

  /// A request too broken to know more of it.
  init(began: Int64) {
    version = .http11
    method = nil
    self.began = began
    closes = true
  }
}
