import Glibc
import Threads

/// A reason why the server cannot start, or cannot reopen its log.
package enum ServerError: Error, Sendable, Hashable {
  /// The text is not an address of a known family, or an inherited descriptor does not listen.
  case badAddress(ListenAddress)
  /// The name has no known address.
  case unknownHost(String)
  /// A system call failed with this `errno`.
  case failed(call: String, errno: Int32, address: ListenAddress?)
  /// The path of a Unix socket is another kind of file, which is not removed.
  case notASocket(path: String)
  /// Another process listens on that Unix socket.
  case socketInUse(path: String)
}

extension ServerError: CustomStringConvertible {
  /// A sentence for the operator.
  package var description: String {
    switch self {
    case .badAddress(let address): "\(address) is not an address to listen on."
    case .unknownHost(let host):
      "Cannot listen on \(host): this name has no address. Check the spelling."
    case .failed(_, let errno, let address?):
      "Cannot listen on \(address): \(String(cString: strerror(errno)))."
    case .failed(let call, let errno, nil): "\(call): \(String(cString: strerror(errno)))."
    case .notASocket(let path):
      "Cannot listen on \(path): it exists and is not a socket. Choose another path."
    case .socketInUse(let path): "Cannot listen on \(path): another process already listens there."
    }
  }
}

extension WorkerThread {
  /// A thread for a loop or the log.
  init(
    serving priority: Priority, _ run: @escaping @Sendable () -> Void
  ) throws(ServerError) {
    do throws(Failure) {
      try self.init(priority, run)
    } catch { throw .failed(call: "pthread_create", errno: error.errno, address: nil) }
  }
}
