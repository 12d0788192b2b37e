import Foundation
import JSON
import Support

/// One connection to the server, blocking; for one thread.
final class Client {
  enum Fault: Error {
    case closed
    /// Nothing came, or nothing could be sent, for `timeout`.
    case overdue
    case malformed(String)
  }

  /// How long the server may be silent: long, for other tests may have the machine meanwhile.
  private static let timeout = timeval(tv_sec: 300, tv_usec: 0)

  private let socket: Int32
  private var buffer: [UInt8] = []

  convenience init(port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try self.init(AF_INET, &address)
  }

  convenience init(unixPath: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { field in
      field.copyBytes(from: unixPath.utf8.prefix(field.count - 1))
    }
    try self.init(AF_UNIX, &address)
  }

  private init<Address>(_ family: Int32, _ address: inout Address) throws {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    socket = Foundation.socket(family, type, 0)
    guard socket >= 0 else { throw SystemFault("socket") }
    var limit = Self.timeout
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard result == 0 else { throw SystemFault("connect") }
  }

  deinit { close(socket) }

  /// Sends one request and waits for its answer.
  func send(
    _ method: String, _ target: String, _ body: JSONValue? = nil,
    _ fields: [String: String] = [:]
  ) throws -> Answer {
    var fields = fields
    if body != nil, fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
    return try exchange(method, target, body.map(Self.bytes), fields)
  }

  /// The same with a body as it is sent. Without a type there is no Content-Type.
  func send(
    _ method: String, _ target: String, text: String, type: String? = "application/json"
  ) throws -> Answer {
    try exchange(method, target, Array(text.utf8), type.map { ["Content-Type": $0] } ?? [:])
  }

  /// The same with bytes of no type that is said.
  func send(
    _ method: String, _ target: String, bytes: [UInt8], _ fields: [String: String] = [:]
  ) throws -> Answer {
    try exchange(method, target, bytes, fields)
  }

  /// The same with bytes.
  func send(
    _ method: String, _ target: String, bytes: [UInt8], type: String
  ) throws -> Answer {
    try exchange(method, target, bytes, ["Content-Type": type])
  }

  private func exchange(
    _ method: String, _ target: String, _ body: [UInt8]?, _ fields: [String: String]
  ) throws -> Answer {
    var fields = fields
    fields["Host"] = fields["Host"] ?? "localhost"
    if let body { fields["Content-Length"] = String(body.count) }
    var head = "\(method) \(target) HTTP/1.1\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    try write(Array((head + "\r\n").utf8) + (body ?? []))
    return try readAnswer(hasBody: method != "HEAD")
  }

  func get(_ target: String, _ fields: [String: String] = [:]) throws -> Answer {
    try send("GET", target, nil, fields)
  }

  func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Self.fault() }
      sent += count
    }
  }

  /// The next answer on the connection, interim ones passed over.
  func readAnswer(hasBody: Bool = true) throws -> Answer {
    while true {
      while Answer.headEnd(in: buffer) == nil { try fill() }
      guard let end = Answer.headEnd(in: buffer) else { throw Fault.closed }
      var answer = try Answer(head: Array(buffer[..<end]))
      buffer.removeFirst(end)
      if answer.status < 200 { continue }
      if hasBody, let text = answer["content-length"] {
        guard let count = Int(text) else { throw Fault.malformed(text) }
        while buffer.count < count { try fill() }
        answer.body = Array(buffer[..<count])
        buffer.removeFirst(count)
      }
      return answer
    }
  }

  /// What comes next on the connection, waiting for some; nil once the server has closed its side.
  func readSome() throws -> [UInt8]? {
    if buffer.isEmpty {
      do { try fill() } catch Fault.closed { return nil }
    }
    defer { buffer = [] }
    return buffer
  }

  /// Whether the server has closed its side, with nothing left to read.
  func isClosed() throws -> Bool {
    guard buffer.isEmpty else { return false }
    do { try fill() } catch Fault.closed { return true }
    return false
  }

  private func fill() throws {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    guard count > 0 else { throw count < 0 ? Self.fault() : Fault.closed }
    buffer += piece[..<count]
  }

  /// Why the last call on the socket failed.
  private static func fault() -> Fault { errno == EAGAIN ? .overdue : .closed }

  private static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.finish()
  }
}
