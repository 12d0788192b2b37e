import FoundationEssentials

/// Base64 (RFC 4648 §4) with padding and without line breaks.
enum Base64 {
  private static let pad = UInt8(ascii: "=")
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  // Foundation's encoder takes three times as long.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let count = (bytes.count + 2) / 3 * 4
    return alphabet.withUnsafeBufferPointer { alphabet in
      [UInt8](unsafeUninitializedCapacity: count) { text, written in
        var end = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
          let rest = bytes.count - start
          let second = rest > 1 ? UInt32(bytes[start + 1]) : 0
          let third = rest > 2 ? UInt32(bytes[start + 2]) : 0
          let bits = UInt32(bytes[start]) << 16 | second << 8 | third
          text[end] = alphabet[Int(bits >> 18)]
          text[end + 1] = alphabet[Int(bits >> 12 & 63)]
          text[end + 2] = rest > 1 ? alphabet[Int(bits >> 6 & 63)] : pad
          text[end + 3] = rest > 2 ? alphabet[Int(bits & 63)] : pad
          end += 4
        }
        written = count
      }
    }
  }

  /// Decodes a text. Nil for one that `encode` would not write.
  static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 4), let data = Data(base64Encoded: text) else {
      return nil
    }
    // The unused bits of the last character must be zero; otherwise two texts would have the same bytes.
    let rest = data.suffix(data.count % 3)
    return text.hasSuffix(rest.base64EncodedString()) ? Array(data) : nil
  }
}
