import HTTP

/// A request that is done with, until this wake-up's output is written.
struct CountedRequest {
  /// In the loop's counts.
  let place: Int
  let began: Int64
}

extension EventLoop {
  /// The time by which requests are measured, in microseconds.
  var stopwatch: Int64 { seed.time.microseconds() }

  /// Notes a request that is done with; it is told once this wake-up's output is written.
  func note(_ exchange: Exchange, _ response: Response?, bytes: Int, peer: Peer?) {
    counted.append(count(exchange, response))
    guard observer != nil else { return }
    noted.append(AccessRecord(exchange, response, bytes: bytes, peer: peer))
  }

  /// The same for a stream, at its end.
  func note(_ stream: OutgoingStream) {
    counted.append(stream.counted)
    if let record = stream.record { noted.append(record) }
  }

  /// Finds where a request is counted, once the answer is known.
  func count(_ exchange: Exchange, _ response: Response?) -> CountedRequest {
    if let refusal = response?.refusal { counts.countRefusal(refusal) }
    return CountedRequest(
      place: counts.place(
        route: response?.route, method: exchange.method, status: response?.status),
      began: exchange.began)
  }

  /// Counts what was noted in this wake-up, whose answers the sockets have now, and hands it on.
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
  /// Whether its name is one, and not something else that a client has put in its place.
  fileprivate var isWord: Bool {
    guard case .other(let name) = self else { return true }
    return name.utf8.count <= 24
      && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
  }
}

extension AccessRecord {
  init(_ exchange: Exchange, _ response: Response?, bytes: Int, peer: Peer?) {
    self.init(
      method: exchange.method.flatMap { $0.isWord ? $0 : nil }, route: response?.route,
      status: response?.status, bytes: bytes, requestID: response?.fields["x-request-id"],
      token: response?.token,
      traceParent: exchange.traceParent, peer: peer, began: exchange.began)
  }
}
