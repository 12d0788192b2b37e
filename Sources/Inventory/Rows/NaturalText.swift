/// A text prepared for natural order: "Box 2" before "Box 10". Letter case and diacritics only break ties.
package struct NaturalText: Sendable, Equatable {
  /// Texts are ordered by their keys, byte by byte. A key has the folded text, and for each number a byte 0, the count
  /// of its digits without leading zeros, and these digits. So a number sorts before any text, and a longer number is
  /// larger.
  private let key: [UInt8]
  private let original: String

  /// The bytes of the text. The key has about as many.
  package var size: Int { original.utf8.count }

  package init(_ text: String) {
    original = text
    var builder = KeyBuilder(capacity: text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      if let digit = Self.digit(scalar) {
        builder.take(digit: digit)
      } else {
        builder.take(scalar)
      }
    }
    key = builder.finish()
  }

  /// The value of a decimal digit in any script.
  private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    // Most texts are ASCII, and comparing bytes is much cheaper than reading properties.
    if scalar.value < 0x80 {
      return (0x30...0x39).contains(scalar.value) ? UInt8(scalar.value - 0x30) : nil
    }
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return UInt8(value)
  }

  /// Letters that sort like others, although folding does not change them: "Straße" before
  /// "Strauss" (https://www.unicode.org/Public/UCA/latest/allkeys.txt).
  private static let spellings: [Unicode.Scalar: String] = [
    "ß": "ss", "ẞ": "ss", "œ": "oe", "Œ": "oe", "đ": "d", "Đ": "d", "ħ": "h", "Ħ": "h",
    "ł": "l", "Ł": "l", "ŧ": "t", "Ŧ": "t", "ſ": "s", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl",
    "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
  ]

  private struct KeyBuilder {
    private var key: [UInt8] = []
    private var digits: [UInt8] = []
    private var isInNumber = false

    init(capacity: Int) { key.reserveCapacity(capacity) }

    mutating func take(digit: UInt8) {
      isInNumber = true
      if digit != 0 || !digits.isEmpty { digits.append(digit) }
    }

    mutating func take(_ scalar: Unicode.Scalar) {
      endNumber()
      // Zero marks numbers.
      if scalar.value == 0 {
        key.append(1)
      } else if scalar.value >= 0x80, let letters = NaturalText.spellings[scalar] {
        key += letters.utf8
      } else {
        TextFolding.append(scalar, to: &key)
      }
    }

    private mutating func endNumber() {
      guard isInNumber else { return }
      key.append(0)
      if digits.count < 0xFF {
        key.append(UInt8(digits.count))
      } else {
        key.append(0xFF)
        for shift in [24, 16, 8, 0] { key.append(UInt8(truncatingIfNeeded: digits.count >> shift)) }
      }
      key += digits
      digits.removeAll(keepingCapacity: true)
      isInNumber = false
    }

    consuming func finish() -> [UInt8] {
      endNumber()
      return key
    }
  }

  /// Negative, zero or positive if this text sorts before, with or after the other.
  package func compare(_ other: NaturalText) -> Int {
    let count = min(key.count, other.key.count)
    for position in 0..<count where key[position] != other.key[position] {
      return Int(key[position]) - Int(other.key[position])
    }
    if key.count != other.key.count { return key.count - other.key.count }
    return original == other.original ? 0 : original < other.original ? -1 : 1
  }
}
