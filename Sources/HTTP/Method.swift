/// A request method. Names are case-sensitive (RFC 9110 §9.1).
package enum Method: Sendable, Hashable {
  case get, head, post, put, patch, delete, options, connect, trace
  case other(String)

  /// Whether the method is safe: it asks for no change (RFC 9110 §9.2.1).
  package var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }

  package init(_ name: String) {
    self = Array(name.utf8).withUnsafeBufferPointer { Method($0) }
  }

  init(_ name: UnsafeBufferPointer<UInt8>) {
    // Names of up to eight bytes are compared as one integer.
    var word: UInt64 = 0
    if name.count <= 8 {
      for byte in name { word = word << 8 | UInt64(byte) }
    }
    switch word {
    case 0x47_4554: self = .get
    case 0x4845_4144: self = .head
    case 0x504F_5354: self = .post
    case 0x50_5554: self = .put
    case 0x50_4154_4348: self = .patch
    case 0x4445_4C45_5445: self = .delete
    case 0x4F_5054_494F_4E53: self = .options
    case 0x43_4F4E_4E45_4354: self = .connect
    case 0x54_5241_4345: self = .trace
    default: self = .other(String(decoding: name, as: UTF8.self))
    }
  }

  package var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .connect: "CONNECT"
    case .trace: "TRACE"
    case .other(let name): name
    }
  }
}
