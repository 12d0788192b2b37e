/// A text made ready for natural order: "Box 2" before "Box 10", letter case no matter at first.
package struct NaturalText: Sendable, Equatable {
  private enum Part: Sendable, Equatable {
    /// Case-folded text between numbers.
    case words([UInt8])
    /// The digits of a number without leading zeros: a longer one is a larger one.
    case number([UInt8])
  }

  private let parts: [Part]
  private let original: String

  package init(_ text: String) {
    original = text
    var splitter = Splitter()
    // Most texts are ASCII, and characters cost much more than bytes.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): splitter.take(digit: byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): splitter.take(folded: byte | 0x20)
        default: splitter.take(folded: byte)
        }
      }
    } else {
      for character in text {
        if let digit = Self.digit(character) {
          splitter.take(digit: digit)
        } else {
          for byte in character.lowercased().utf8 { splitter.take(folded: byte) }
        }
      }
    }
    parts = splitter.finish()
  }

  /// The value of a decimal digit in any script.
  private static func digit(_ character: Character) -> UInt8? {
    guard let value = character.wholeNumberValue, (0...9).contains(value),
      character.unicodeScalars.first?.properties.numericType == .decimal
    else { return nil }
    return UInt8(value)
  }

  /// Cuts a text where numbers begin and end.
  private struct Splitter {
    private var parts: [Part] = []
    private var words: [UInt8] = []
    private var digits: [UInt8] = []

    mutating func take(digit: UInt8) {
      if !words.isEmpty {
        parts.append(.words(words))
        words.removeAll(keepingCapacity: true)
      }
      digits.append(digit)
    }

    mutating func take(folded byte: UInt8) {
      if !digits.isEmpty {
        parts.append(.number(Array(digits.drop { $0 == 0 })))
        digits.removeAll(keepingCapacity: true)
      }
      words.append(byte)
    }

    consuming func finish() -> [Part] {
      if !digits.isEmpty { parts.append(.number(Array(digits.drop { $0 == 0 }))) }
      if !words.isEmpty { parts.append(.words(words)) }
      return parts
    }
  }

  /// Negative, zero or positive, as this text sorts before, with or behind the other.
  package func compare(_ other: NaturalText) -> Int {
    for (left, right) in zip(parts, other.parts) {
      let sign: Int
      switch (left, right) {
      case (.number(let left), .number(let right)):
        sign =
          left.count != right.count ? left.count - right.count : Self.compareBytes(left, right)
      case (.words(let left), .words(let right)): sign = Self.compareBytes(left, right)
      case (.number, .words): sign = -1
      case (.words, .number): sign = 1
      }
      if sign != 0 { return sign }
    }
    if parts.count != other.parts.count { return parts.count - other.parts.count }
    return original == other.original ? 0 : original < other.original ? -1 : 1
  }

  private static func compareBytes(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}
