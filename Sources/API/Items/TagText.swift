import Inventory

/// Tags in one cell: semicolons between them, a backslash before those in them and before itself.
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

  /// The tags of a cell; of too many the first, one more than an item may have.
  static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    var tag = ""
    var isEscaped = false
    func endTag() {
      let trimmed = tag.trimmed
      if !trimmed.isEmpty { tags.append(trimmed) }
      tag = ""
    }
    for scalar in text.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if !isEscaped, scalar == ";" {
        endTag()
        if tags.count > Limits.tagCount { return tags }
      } else {
        tag.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    endTag()
    return tags
  }

  /// The same where nothing is escaped.
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
