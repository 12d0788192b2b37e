import HTTP

/// One request that has been read whole, or refused, and its answer as soon as there is one.
struct Exchange {
  enum State {
    case waiting
    case answered(Response)
  }

  let version: Version
  let method: Method?
  /// The request's `traceparent` as it was sent, if it is one (https://www.w3.org/TR/trace-context/).
  let traceParent: String?
  /// What was asked, while the answer is waited for: where none comes, the refusal is addressed to it.
  var head: RequestHead?
  /// When the request's first byte was handled, by the loop's stopwatch.
  let began: Int64
  /// Whether the connection closes after the answer.
  var closes: Bool
  /// Bytes of body that are given back to the budget once there is an answer.
  var bodyBytes = 0
  /// Whether the connection's next request waits for the answer.
  var holdsBackNext = false
  var state = State.waiting

  var isHead: Bool { method == .head }

  init(_ head: RequestHead, began: Int64, closes: Bool? = nil, bodyBytes: Int = 0) {
    version = head.version
    method = head.method
    traceParent = head.traceParent
    self.began = began
    self.closes = closes ?? !head.keepsConnection
    self.bodyBytes = bodyBytes
  }

  /// A request too broken to know more of it.
  init(_ method: Method?, began: Int64) {
    version = .http11
    self.method = method
    traceParent = nil
    self.began = began
    closes = true
  }
}

extension RequestHead {
  /// 55 characters: a version, a trace's id, its parent's, and flags, in lower case hexadecimal digits.
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
