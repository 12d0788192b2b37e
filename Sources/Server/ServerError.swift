/// Why the server can't start.
package enum ServerError: Error, Sendable, Hashable {
  /// The text names no address of this machine's families.
  case badAddress(ListenAddress)
  /// A system call failed with this `errno`.
  case failed(call: String, errno: Int32, address: ListenAddress?)
  /// Another process listens on that Unix socket.
  case socketInUse(path: String)
}
