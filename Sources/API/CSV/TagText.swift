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

  static func tags(_ text: String) -> [String] {
    var tags = [""]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if !isEscaped, scalar == ";" {
        tags.append("")
      } else {
        tags[tags.count - 1].unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    return tags.map { $0.trimmed }.filter { !$0.isEmpty }
  }
}
