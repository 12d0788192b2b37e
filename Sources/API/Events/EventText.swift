import Inventory

/// The blocks of an event stream as bytes.
enum EventText {
  /// A comment. It shows that the connection still works and carries no fields.
  static let comment = Array(":\n\n".utf8)

  /// The first block: the client's position and the milliseconds to wait before it connects again.
  static func opening(_ revision: Revision) -> [UInt8] {
    Array("retry: 2000\n".utf8) + position(revision)
  }

  /// Advances the client's last event id when no other event does.
  ///
  /// The block has a name and data, because some clients deliver a block with only an id as an empty message, which
  /// HTML §9.2.6 forbids. It is not named `open`, because `EventSource` itself fires an event with that name.
  static func position(_ revision: Revision) -> [UInt8] {
    event("position", revision, data: Array("{\"revision\":\(revision)}".utf8))
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
