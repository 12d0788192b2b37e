import HTTP

/// A request that was read completely, or refused, and its response when there is one.
struct PipelinedRequest {
  enum State {
    case waiting
    case answered(Response)
  }

  let version: Version
  let method: Method?
  /// The request's `traceparent` as sent, if valid (https://www.w3.org/TR/trace-context/).
  let traceParent: String?
  /// The request's head while its response is pending, for a refusal if none comes.
  var head: RequestHead?
  /// When the request's first byte was handled, by the loop's stopwatch.
  let began: Int64
  /// Whether the connection closes after the response.
  var closes: Bool
  /// Bytes of body that are returned to the quota when there is a response.
  var bodyBytes = 0
  /// Whether the connection's next request waits for the response.
  var holdsBackNext = false
  var state = State.waiting

  var isHead: Bool { method == .head }

  var isUnansweredRead: Bool {
    if case .waiting = state { method == .get } else { false }
  }

  init(_ head: RequestHead, began: Int64, closes: Bool? = nil, bodyBytes: Int = 0) {
    version = head.version
    method = head.method
    traceParent = head.traceParent
    self.began = began
    self.closes = closes ?? !head.keepsConnection
    self.bodyBytes = bodyBytes
  }

  /// A request that is too malformed to have a head.
  init(_ method: Method?, began: Int64) {
    version = .http11
    self.method = method
    traceParent = nil
    self.began = began
    closes = true
  }
}

extension RequestHead {
  /// The `traceparent`: a version, a trace id, a parent id and flags, in lower-case hexadecimal, 55 characters in all.
  fileprivate var traceParent: String? {
    let isSound = fields.withValue("traceparent") { bytes in
      bytes.count == 55
        && bytes.indices.allSatisfy { index in
          [2, 35, 52].contains(index)
            ? bytes[index] == UInt8(ascii: "-")
            : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
              || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(bytes[index])
        }
    }
    return isSound == true ? fields["traceparent"] : nil
  }
}
