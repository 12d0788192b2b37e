/// Bytes as text of 64 characters (RFC 4648 §4), with padding and without line breaks.
enum Base64 {
  private static let pad = UInt8(ascii: "=")
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// By character; 64 and more for what is none of the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

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

  /// Nil for what `encode` would not have written.
  static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { decode($0) }
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let padding = text.suffix(2).reduce(0) { $0 + ($1 == pad ? 1 : 0) }
    guard text.count % 4 == 0 else { return nil }
    let count = text.count / 4 * 3 - padding
    guard count > 0 else { return text.isEmpty ? [] : nil }
    var isGood = true
    let bytes = values.withUnsafeBufferPointer { values in
      [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
        var bits: UInt32 = 0
        var (read, end) = (0, 0)
        for character in text.dropLast(padding) {
          let value = values[Int(character)]
          if value > 63 { isGood = false }
          bits = bits << 6 | UInt32(value & 63)
          read += 1
          guard read % 4 == 0 else { continue }
          bytes[end] = UInt8(truncatingIfNeeded: bits >> 16)
          bytes[end + 1] = UInt8(truncatingIfNeeded: bits >> 8)
          bytes[end + 2] = UInt8(truncatingIfNeeded: bits)
          end += 3
        }
        // What is left over must be zeros, or two texts would be the same bytes.
        switch padding {
        case 1:
          bytes[end] = UInt8(truncatingIfNeeded: bits >> 10)
          bytes[end + 1] = UInt8(truncatingIfNeeded: bits >> 2)
          if bits & 3 != 0 { isGood = false }
        case 2:
          bytes[end] = UInt8(truncatingIfNeeded: bits >> 4)
          if bits & 15 != 0 { isGood = false }
        default: break
        }
        written = count
      }
    }
    return isGood ? bytes : nil
  }
}
