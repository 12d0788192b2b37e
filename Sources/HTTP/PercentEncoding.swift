/// Percent-decoding (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Decodes the bytes once. Nil for a bad escape, an escaped NUL or invalid UTF-8. With `plusIsSpace`, a plus sign
  /// becomes a space.
  package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    if !bytes.contains(where: { $0 == 0x25 || $0 == 0x2B }) {
      return String(validating: bytes, as: UTF8.self)
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      var byte = bytes[index]
      if byte == 0x25 {
        guard index + 2 < bytes.endIndex, let high = bytes[index + 1].hexValue,
          let low = bytes[index + 2].hexValue
        else { return nil }
        byte = high << 4 | low
        if byte == 0 { return nil }
        index += 2
      } else if plusIsSpace, byte == 0x2B {
        byte = .space
      }
      plain.append(byte)
      index += 1
    }
    return String(validating: plain, as: UTF8.self)
  }
}
