/// Base64 (RFC 4648 §4) with padding and without line breaks.
enum Base64 {
  private static let pad = UInt8(ascii: "=")
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each character; 64 for one outside of the alphabet.
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

  /// Decodes a text. Nil for one that `encode` would not write.
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
        var seen: UInt8 = 0
        var end = 0
        func bits(_ index: Int) -> UInt32 {
          let value = values[Int(text[index])]
          seen |= value
          return UInt32(value)
        }
        let last = padding == 0 ? text.count : text.count - 4
        for start in stride(from: 0, to: last, by: 4) {
          let group =
            bits(start) << 18 | bits(start + 1) << 12 | bits(start + 2) << 6 | bits(start + 3)
          bytes[end] = UInt8(truncatingIfNeeded: group >> 16)
          bytes[end + 1] = UInt8(truncatingIfNeeded: group >> 8)
          bytes[end + 2] = UInt8(truncatingIfNeeded: group)
          end += 3
        }
        // The unused bits must be zero; otherwise two texts would have the same bytes.
        switch padding {
        case 1:
          let group = bits(last) << 12 | bits(last + 1) << 6 | bits(last + 2)
          bytes[end] = UInt8(truncatingIfNeeded: group >> 10)
          bytes[end + 1] = UInt8(truncatingIfNeeded: group >> 2)
          if group & 3 != 0 { isGood = false }
        case 2:
          let group = bits(last) << 6 | bits(last + 1)
          bytes[end] = UInt8(truncatingIfNeeded: group >> 4)
          if group & 15 != 0 { isGood = false }
        default: break
        }
        if seen > 63 { isGood = false }
        written = count
      }
    }
    return isGood ? bytes : nil
  }
}
