/// Which items to find by one exact value.
package enum ItemLookup: Sendable, Equatable {
  /// The serial number, as items have it: trimmed.
  case serialNumber(String)
  /// One of the tags.
  case tag(String)
  /// A custom field: a string with exactly this text, a number of this value, or `true` or `false`. Arrays, objects and
  /// null are never found.
  case field(name: String, value: String)

  /// Whether a text is a decimal number, as JSON has them.
  package static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text) != nil
  }
}
