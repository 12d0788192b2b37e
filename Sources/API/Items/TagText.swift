import Inventory

/// Tags in one cell, separated by semicolons. A backslash escapes a semicolon or a backslash. Before anything else, and at
/// the end, it stands for itself.
enum TagText {
  static func text(_ tags: [String]) -> String {
    tags.map { tag in
      var text = ""
      for scalar in tag.unicodeScalars {
        if scalar == ";" || scalar == "\\" { text.append("\\") }
        text.unicodeScalars.append(scalar)
      }
      return text
    }.joined(separator: ";")
  }

  /// The tags of a cell. Reading stops at one tag more than `Limits.tagCount`, because the cell is then refused.
  ///
  /// - Parameter separator: what stands between tags, and can be escaped.
  static func tags(_ text: String, separator: Unicode.Scalar = ";") -> [String] {
    var tags: [String] = []
    var tag = ""
    var isEscaped = false
    func endTag() {
      let trimmed = tag.trimmed
      if !trimmed.isEmpty { tags.append(trimmed) }
      tag = ""
    }
    for scalar in text.unicodeScalars {
      if isEscaped {
        if scalar != separator, scalar != "\\" { tag.append("\\") }
        tag.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == separator {
        endTag()
        if tags.count > Limits.tagCount { return tags }
      } else {
        tag.unicodeScalars.append(scalar)
      }
    }
    if isEscaped { tag.append("\\") }
    endTag()
    return tags
  }

  /// The tags of a cell that a person typed: separated by semicolons as in `tags`, or by commas if it has no semicolon.
  static func typedTags(_ text: String) -> [String] {
    tags(text, separator: text.contains(";") ? ";" : ",")
  }

  /// The tags of a cell without escapes.
  static func plainTags(_ text: String) -> [String] {
    var tags: [String] = []
    for part in text.split(separator: ";", maxSplits: 4 * Limits.tagCount) {
      let tag = part.trimmed
      if !tag.isEmpty { tags.append(tag) }
      if tags.count > Limits.tagCount { break }
    }
    return tags
  }
}
