import Inventory

/// The blocks of an event stream as bytes.
enum EventText {
  /// Where the client starts, and how many milliseconds it is to wait before it connects again.
  static func opening(_ revision: Revision) -> [UInt8] {
    Array("retry: 2000\nid: \(revision)\n\n".utf8)
  }

  /// A comment, so that a client that has gone is noticed, with a block that only moves the client's last id on.
  static func heartbeat(_ revision: Revision) -> [UInt8] {
    Array(":\nid: \(revision)\n\n".utf8)
  }

  /// - Parameter data: JSON without line breaks.
  static func event(_ name: StaticString, _ revision: Revision, data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 64)
    bytes += "id: \(revision)\nevent: \(name)\ndata: ".utf8
    bytes += data
    bytes += "\n\n".utf8
    return bytes
  }
}
