/// The rules of one-line texts.
package enum TextRules {
  /// The text without white space at its ends.
  package static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[start...end])
  }

  /// The error of a one-line text; nil if it is valid. `length` counts Unicode scalars.
  package static func fault(in text: String, length: ClosedRange<Int>) -> String? {
    // A text has at most as many scalars as bytes, so short texts need no counting.
    let bytes = text.utf8.count
    let isTooLong = bytes > length.upperBound && text.unicodeScalars.count > length.upperBound
    if isTooLong || bytes < length.lowerBound {
      return length.lowerBound == 0
        ? "Use at most \(length.upperBound) characters."
        : "Enter \(length.lowerBound) to \(length.upperBound) characters. Spaces at the ends do not count."
    }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      return "Leave out control characters, such as tabs and line breaks."
    }
    return nil
  }
}

extension TextRules {
  /// Whether a text is one visible character as readers see it, which can have several Unicode scalars: an emoji with a
  /// skin tone, a flag, a letter with its accents.
  package static func isGlyph(_ text: String) -> Bool {
    guard text.utf8.count <= Limits.glyph, text.count == 1, let first = text.unicodeScalars.first
    else { return false }
    switch first.properties.generalCategory {
    case .control, .format, .nonspacingMark, .spacingMark, .enclosingMark, .privateUse, .surrogate,
      .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return false
    default: return true
    }
  }
}

extension [FieldError] {
  /// Adds the error of a one-line text, if it has one. `length` counts Unicode scalars.
  package mutating func check(_ text: String?, _ path: [String], _ length: ClosedRange<Int>) {
    guard let text, let fault = TextRules.fault(in: text, length: length) else { return }
    append(FieldError(path, fault))
  }
}
