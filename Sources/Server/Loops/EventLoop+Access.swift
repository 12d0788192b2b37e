import HTTP

/// A finished request, until this wake-up's output is written.
struct CountedRequest {
  /// Its index in the loop's counts.
  let place: Int
  let began: Int64
}

extension EventLoop {
  /// The clock for durations of requests, in microseconds.
  var stopwatch: Int64 { time.microseconds() }

  /// Notes a finished request. It is counted and logged when this wake-up's output is written.
  func note(_ request: PipelinedRequest, _ response: Response?, bytes: Int, peer: Peer?) {
    counted.append(count(request, response))
    guard observer != nil else { return }
    noted.append(AccessRecord(request, response, bytes: bytes, peer: peer))
  }

  /// Notes a stream at its end.
  func note(_ stream: OutgoingStream) {
    counted.append(stream.counted)
    if let record = stream.record { noted.append(record) }
  }

  /// Finds a request's place in the counts, once its response is known.
  func count(_ request: PipelinedRequest, _ response: Response?) -> CountedRequest {
    if let refusal = response?.refusal { counts.refusals[refusal, default: 0] += 1 }
    return CountedRequest(
      place: counts.place(
        route: response?.route, method: request.method, status: response?.status),
      began: request.began)
  }

  /// Counts the requests of this wake-up, now that their output is written, and passes them to the observer.
  func tellObserver() {
    guard !counted.isEmpty else { return }
    let now = stopwatch
    for request in counted {
      counts.count(request.place, microseconds: max(0, now - request.began))
    }
    counted.removeAll(keepingCapacity: counted.capacity <= 1024)
    guard let observer, !noted.isEmpty else { return }
    for index in noted.indices { noted[index].end(at: now, time: timeSince1970) }
    observer.take(&noted)
  }
}

extension Method {
  /// Whether the method's name is a plain word, and not another text from the client.
  fileprivate var isWord: Bool {
    guard case .other(let name) = self else { return true }
    return name.utf8.count <= 24
      && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
  }
}

extension AccessRecord {
  init(_ request: PipelinedRequest, _ response: Response?, bytes: Int, peer: Peer?) {
    self.init(
      method: request.method.flatMap { $0.isWord ? $0 : nil }, route: response?.route,
      status: response?.status, bytes: bytes, requestID: response?.fields["x-request-id"],
      token: response?.token,
      traceParent: request.traceParent, peer: peer, began: request.began)
  }
}
