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
    var parts: [Part] = []
    var words: [UInt8] = []
    var digits: [UInt8] = []
    func closeNumber() {
      guard !digits.isEmpty else { return }
      parts.append(.number(Array(digits.drop { $0 == 0 })))
      digits = []
    }
    for character in text {
      if let digit = character.wholeNumberValue, (0...9).contains(digit), character.isNumber,
        character.unicodeScalars.first?.properties.numericType == .decimal
      {
        if !words.isEmpty { parts.append(.words(words)) }
        words = []
        digits.append(UInt8(digit))
      } else {
        closeNumber()
        words += Array(character.lowercased().utf8)
      }
    }
    closeNumber()
    if !words.isEmpty { parts.append(.words(words)) }
    self.parts = parts
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
