/// A JSON Pointer (RFC 6901). The empty pointer refers to the whole value.
package struct JSONPointer: Sendable, Hashable {
  /// The unescaped keys and indices.
  package let tokens: [String]

  package init(tokens: [String] = []) { self.tokens = tokens }

  /// The pointer's text, with "~" written as "~0" and "/" as "~1".
  package var text: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(UInt8(ascii: "/"))
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
        case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
