import Glibc
import Server

/// A client of the tests: plain blocking calls that fail after ten minutes.
final class Client {
  struct Timeout: Error {}
  struct NotConnected: Error { let errno: Int32 }

  struct Answer: Equatable {
    var status: Int
    var head: String
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }

    func field(_ name: String) -> String? {
      for line in head.split(separator: "\r\n").dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.first?.lowercased() == name.lowercased() {
          return String(parts.last?.drop { $0 == " " } ?? "")
        }
      }
      return nil
    }
  }

  private var raw: Int32
  private var buffer: [UInt8] = []
  /// Whether the server ended the connection by a reset.
  private(set) var wasReset = false

  init(_ address: ListenAddress, receiveBuffer: Int32? = nil) throws {
    let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let result: Int32
    switch address {
    case .v4(_, let port):
      raw = socket(AF_INET, stream, 0)
      if var receiveBuffer {
        setsockopt(raw, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
      result = Client.connect(raw, &address)
    case .v6(_, let port):
      raw = socket(AF_INET6, stream, 0)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, "::1", &address.sin6_addr)
      result = Client.connect(raw, &address)
    case .unix(let path, _):
      raw = socket(AF_UNIX, stream, 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      result = Client.connect(raw, &address)
    case .inherited, .named:
      raw = -1
      result = -1
    }
    guard result == 0 else { throw NotConnected(errno: errno) }
    var one: Int32 = 1
    setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
  }

  deinit { close(raw) }

  private static func connect<Address>(_ raw: Int32, _ address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(raw, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Sends all of it, or as much as goes before the server ends the connection.
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(raw, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func get(_ target: String) { send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") }

  func endOutput() { shutdown(raw, Int32(SHUT_WR)) }

  /// Breaks the connection off.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(raw)
    raw = -1
  }

  /// Whether there is anything to read, be it the end.
  func hasInput(within milliseconds: Int32 = 0) -> Bool {
    if !buffer.isEmpty { return true }
    var descriptor = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  /// The next whole answer; nil at the connection's end.
  func answer(toHead: Bool = false) throws -> Answer? {
    while true {
      if let end = headEnd() {
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        guard let status = Int(head.dropFirst(9).prefix(3)) else { return nil }
        var answer = Answer(status: status, head: head, body: [])
        buffer.removeFirst(end)
        if toHead || status < 200 || status == 204 || status == 304 { return answer }
        if answer.field("transfer-encoding") == "chunked" {
          while let chunk = try chunk() {
            if chunk.isEmpty { return answer }
            answer.body += chunk
          }
          return nil
        }
        guard let length = answer.field("content-length").flatMap({ Int($0) }) else {
          answer.body = try rest()
          return answer
        }
        guard try fill(length) else { return nil }
        answer.body = Array(buffer[..<length])
        buffer.removeFirst(length)
        return answer
      }
      guard try fill(buffer.count + 1) else { return nil }
    }
  }

  /// Passes over the head of an answer whose body is read by `chunk`.
  func headOfStream() throws -> String? {
    while true {
      if let end = headEnd() {
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end)
        return head
      }
      guard try fill(buffer.count + 1) else { return nil }
    }
  }

  /// Reads and drops that many bytes, or fewer if the connection ends; answers how many.
  func take(_ count: Int) throws -> Int {
    var taken = 0
    while taken < count, try fill(1) {
      taken += buffer.count
      buffer = []
    }
    return taken
  }

  /// Whatever comes until the connection's end.
  func rest() throws -> [UInt8] {
    while try fill(buffer.count + 1) {}
    let rest = buffer
    buffer = []
    return rest
  }

  /// The data of one chunk, empty for the last; nil if the connection ends before.
  func chunk() throws -> [UInt8]? {
    var end = 0
    while true {
      while end + 1 < buffer.count, buffer[end] != 0x0D { end += 1 }
      if end + 1 < buffer.count { break }
      guard try fill(buffer.count + 1) else { return nil }
    }
    guard let size = Int(String(decoding: buffer[..<end], as: UTF8.self), radix: 16) else {
      return nil
    }
    guard try fill(end + 2 + size + 2) else { return nil }
    let data = Array(buffer[(end + 2)..<(end + 2 + size)])
    buffer.removeFirst(end + 2 + size + 2)
    return data
  }

  private func headEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    for index in 0...(buffer.count - 4)
    where buffer[index] == 0x0D && buffer[index + 2] == 0x0D
      && buffer[index + 1] == 0x0A && buffer[index + 3] == 0x0A
    {
      return index + 4
    }
    return nil
  }

  /// Reads until the buffer has that many bytes; false at the connection's end.
  private func fill(_ count: Int) throws -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while buffer.count < count {
      var descriptor = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 600_000) > 0 else { throw Timeout() }
      let read = recv(raw, &piece, piece.count, 0)
      if read < 0 { wasReset = errno == ECONNRESET }
      guard read > 0 else { return false }
      buffer += piece[..<read]
    }
    return true
  }
}
