/// Writes strings with only the escapes that RFC 8259, section 7, requires.
enum StringEscaping {
  /// Writes the text with escapes and returns its end. The result is at most six times as long.
  @inline(__always)
  static func put(
    _ text: UnsafeBufferPointer<UInt8>, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var end = start
    var index = 0
    let count = text.count
    guard let bytes = text.baseAddress else { return end }
    while index + 8 <= count {
      let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
      if needsEscape(word) {
        for offset in 0..<8 { escape(bytes[index + offset], &end) }
      } else {
        UnsafeMutableRawPointer(end).storeBytes(of: word, as: UInt64.self)
        end += 8
      }
      index += 8
    }
    while index < count {
      escape(bytes[index], &end)
      index += 1
    }
    return end
  }

  /// Whether all bytes are ASCII.
  @inline(__always)
  static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let bytes = text.baseAddress else { return true }
    var seen: UInt64 = 0
    var index = 0
    while index + 8 <= text.count {
      seen |= UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
      index += 8
    }
    while index < text.count {
      seen |= UInt64(bytes[index])
      index += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  /// Whether one of eight bytes is a quote, a backslash or a control character.
  @inline(__always)
  private static func needsEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    // A byte below the subtrahend borrows into its top bit. A borrow can also mark bytes above the
    // lowest match, which does not change whether a match exists.
    let found =
      ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes)
      | ((backslashes &- ones) & ~backslashes)
    return found & (ones &* 0x80) != 0
  }

  @inline(__always)
  private static func escape(_ byte: UInt8, _ end: inout UnsafeMutablePointer<UInt8>) {
    if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      end.put(byte)
    } else {
      putEscape(byte, &end)
    }
  }

  @inline(never)
  private static func putEscape(_ byte: UInt8, _ end: inout UnsafeMutablePointer<UInt8>) {
    end.put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): end.put(byte)
    case 0x08: end.put(UInt8(ascii: "b"))
    case 0x09: end.put(UInt8(ascii: "t"))
    case 0x0a: end.put(UInt8(ascii: "n"))
    case 0x0c: end.put(UInt8(ascii: "f"))
    case 0x0d: end.put(UInt8(ascii: "r"))
    default:
      end.put(UInt8(ascii: "u"))
      end.put(UInt8(ascii: "0"))
      end.put(UInt8(ascii: "0"))
      end.put(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0xf
      end.put(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }
}
