import Glibc
import Server
import Storage

/// The Unix socket beside a database. Its clients are administrators of the running server.
enum ControlSocket {
  /// - Parameter database: the real path of the file, without symbolic links.
  static func path(database: String) -> String { database + ".socket" }

  /// The address to listen on; nil if the path is too long for a socket (unix(7)).
  ///
  /// A database on a server has no socket: commands open it themselves.
  static func address(database: String) -> ListenAddress? {
    guard !Database.isOnServer(database) else { return nil }
    let path = path(database: database)
    return path.utf8.count < 108 ? .unix(path: path) : nil
  }

  /// Sends a request and reads its answer to the end; nil if no server listens.
  ///
  /// - Throws: `unavailable`; `inputOutput` if a request that writes was sent, and no answer came.
  static func exchange(
    database: String, _ request: [UInt8], isWrite: Bool
  ) throws(Failure) -> [UInt8]? {
    guard !Database.isOnServer(database) else { return nil }
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw failed("open a socket") }
    defer { close(socket) }
    guard try connect(socket, to: path(database: database)) else { return nil }
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        // If the server has just stopped, reports it instead of dying of SIGPIPE.
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failed("write to the server") }
      sent += count
    }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(socket, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let failure = failed("read from the server")
        throw isWrite ? Failure(.inputOutput, failure.message + Self.unknown) : failure
      }
      if count == 0, answer.isEmpty, isWrite {
        throw Failure(.inputOutput, "The server ended without an answer." + Self.unknown)
      }
      if count == 0 { return answer }
      answer += piece[..<count]
    }
  }

  private static func connect(_ socket: Int32, to path: String) throws(Failure) -> Bool {
    guard var address = sockaddr_un(path: path) else { return false }
    let result = withSocketAddress(&address) { Glibc.connect(socket, $0, $1) }
    if result == 0 { return true }
    guard errno == ENOENT || errno == ECONNREFUSED else {
      throw failed("reach the server at \(path)")
    }
    return false
  }

  private static let unknown =
    " It is unknown whether the change was made. See rowhouse token list."

  private static func failed(_ action: String) -> Failure {
    Failure(.unavailable, "Cannot \(action): \(String(cString: strerror(errno))).")
  }
}
