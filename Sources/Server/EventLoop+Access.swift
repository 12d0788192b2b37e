import HTTP

extension EventLoop {
  /// The time by which requests are measured, in microseconds; a constant if nobody wants to know.
  var stopwatch: Int64 { observer == nil ? 0 : seed.time.microseconds() }

  /// Notes a request that is done with; it is told once this wake-up's output is written.
  func note(_ exchange: Exchange, _ response: Response?, bytes: Int, peer: Peer?) {
    guard observer != nil else { return }
    noted.append(AccessRecord(exchange, response, bytes: bytes, peer: peer))
  }

  func note(_ record: AccessRecord?) {
    if let record { noted.append(record) }
  }

  /// Hands on what was noted in this wake-up, whose answers the sockets have now.
  func tellObserver() {
    guard let observer, !noted.isEmpty else { return }
    let now = stopwatch
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
      status: response?.status, bytes: bytes,
      requestID: response?.fields["x-request-id"], peer: peer, began: exchange.began)
  }
}
