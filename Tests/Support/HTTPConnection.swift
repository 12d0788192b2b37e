import Glibc

/// A client's connection to 127.0.0.1 over a blocking socket, which sends whatever it is given.
package final class HTTPConnection {
  package enum Failure: Error, Equatable {
    case system(call: String, code: Int32)
    /// The server ended the connection within, or instead of, a response.
    case closed
    case malformed(String)
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  /// Every wait for the server ends after `seconds`.
  package init(port: UInt16, patience seconds: Int = 20) throws(Failure) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let code = errno
      close(descriptor)
      throw .system(call: "connect", code: code)
    }
  }

  deinit { close(descriptor) }

  /// Sends a request with a body of JSON, if any, and reads the response.
  package func request(
    _ method: String, _ target: String, fields: [String: String] = [:], json: String? = nil
  ) throws(Failure) -> HTTPAnswer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if let json {
      if fields["Content-Type"] == nil { head += "Content-Type: application/json\r\n" }
      head += "Content-Length: \(json.utf8.count)\r\n"
    }
    try send(Array((head + "\r\n" + (json ?? "")).utf8))
    return try receive(hasBody: method != "HEAD")
  }

  /// Sends bytes as they are.
  package func send(_ bytes: [UInt8]) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + start }, bytes.count - start,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system(call: "send", code: errno) }
      start += count
    }
  }

  /// Ends the sending side; answers can still be read.
  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads the next response; interim ones (1xx) are passed over.
  package func receive(hasBody: Bool = true) throws(Failure) -> HTTPAnswer {
    var answer = try head()
    while (100..<200).contains(answer.status) { answer = try head() }
    guard hasBody, answer.status != 204, answer.status != 304 else { return answer }
    if answer["Transfer-Encoding"]?.lowercased() == "chunked" {
      answer.body = try chunks()
    } else if let length = answer["Content-Length"] {
      guard let count = Int(length) else { throw .malformed("Content-Length: \(length)") }
      answer.body = try take(count)
    } else {
      while try fill() {}
      answer.body = try take(received.count)
    }
    return answer
  }

  /// Whether the server has ended the connection with nothing more to read.
  package func isAtEnd() throws(Failure) -> Bool {
    guard received.isEmpty else { return false }
    return try !fill()
  }
}

extension HTTPConnection {
  private func head() throws(Failure) -> HTTPAnswer {
    let status = try line().split(separator: " ", maxSplits: 2)
    guard status.count >= 2, status[0].hasPrefix("HTTP/1."), let code = Int(status[1]) else {
      throw .malformed("The status line is \(status).")
    }
    var answer = HTTPAnswer(status: code)
    while case let line = try line(), !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else { throw .malformed(line) }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      answer.fields.append((name: String(line[..<colon]), value: String(value)))
    }
    return answer
  }

  private func chunks() throws(Failure) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = try line()
      guard let count = Int(size, radix: 16) else { throw .malformed("A chunk of \(size).") }
      body += try take(count)
      guard try line().isEmpty else { throw .malformed("A chunk is longer than it says.") }
      if count == 0 { return body }
    }
  }

  private func line() throws(Failure) -> String {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = try take(end + 1)
        guard line.dropLast().last == 0x0D else { throw .malformed("A line without CR.") }
        return String(decoding: line.dropLast(2), as: UTF8.self)
      }
      guard try fill() else { throw .closed }
    }
  }

  private func take(_ count: Int) throws(Failure) -> [UInt8] {
    while received.count < count {
      guard try fill() else { throw .closed }
    }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  /// False at the end of what the server sends.
  private func fill() throws(Failure) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count < 0 && errno == EINTR { return true }
    // A server that was killed, or that closed on unread bytes, resets.
    if count == 0 || (count < 0 && errno == ECONNRESET) { return false }
    guard count > 0 else { throw .system(call: "recv", code: errno) }
    received += buffer.prefix(count)
    return true
  }
}
