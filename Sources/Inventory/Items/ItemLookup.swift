/// Which items to find by one exact value.
package enum ItemLookup: Sendable, Equatable {
  /// The serial number, as items have it: trimmed.
  case serialNumber(String)
  /// One of the tags.
  case tag(String)
  /// A custom field: a string with exactly this text, a number of this value, or `true` or `false`. Arrays, objects and
  /// null are never found.
  case field(name: String, value: String)

  /// The number that a text means, as JSON has it: `00123` is `123`. Nil for other texts.
  package static func number(_ text: String) -> String? {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), Double(text) != nil
    else { return nil }
    guard isWhole(text) else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = text.dropFirst(sign.count).drop { $0 == "0" }
    return digits.isEmpty ? "0" : sign + digits
  }

  /// Whether a number has neither a fraction nor an exponent.
  package static func isWhole(_ number: String) -> Bool {
    number.utf8.allSatisfy { "-0123456789".utf8.contains($0) }
  }
}
