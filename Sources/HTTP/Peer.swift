/// The remote end of a connection, in a compact form because each connection keeps one.
package struct Peer: Sendable, Hashable {
  package enum Family: UInt8, Sendable { case unix, v4, v6 }

  package let family: Family
  /// The index of the accepting listener in the server's list of addresses.
  package let listener: Int
  /// The address in network order: v4 uses the upper 4 bytes of `high`, v6 all 16 bytes.
  package let high: UInt64
  package let low: UInt64
  package let port: UInt16

  package init(
    family: Family, listener: Int = 0, high: UInt64 = 0, low: UInt64 = 0, port: UInt16 = 0
  ) {
    self.family = family
    self.listener = listener
    self.high = high
    self.low = low
    self.port = port
  }
}

extension Peer: CustomStringConvertible {
  /// `unix`, `127.0.0.1:8080` or `[0:0:0:0:0:0:0:1]:8080`.
  package var description: String {
    switch family {
    case .unix:
      return "unix"
    case .v4:
      let parts = [56, 48, 40, 32].map { String((high >> $0) & 0xFF) }
      return parts.joined(separator: ".") + ":\(port)"
    case .v6:
      let groups = [high, low].flatMap { word in
        [48, 32, 16, 0].map { String((word >> UInt64($0)) & 0xFFFF, radix: 16) }
      }
      return "[" + groups.joined(separator: ":") + "]:\(port)"
    }
  }
}
