extension String {
  /// The text with the secret of every token, whole or partial, replaced: `rh_…`. A secret sent in the wrong place is
  /// not repeated, because responses end up in logs and screenshots.
  var withoutTokens: String {
    guard contains("_") else { return self }
    var result = ""
    var rest = self[...]
    while let start = rest.endOfTokenStart {
      let secret = rest[start...].prefix(while: \.isTokenDigit)
      result += rest[..<start]
      // Shorter matches are ordinary words.
      result += secret.count < 16 ? secret : "…"
      rest = rest[secret.endIndex...]
    }
    return result + rest
  }
}

extension Substring {
  /// The index behind the first `rh_`, in either letter case.
  fileprivate var endOfTokenStart: Index? {
    var from = startIndex
    while let mark = self[from...].firstIndex(of: "_") {
      from = index(after: mark)
      if self[..<mark].suffix(2).lowercased() == "rh" { return from }
    }
    return nil
  }
}

extension Character {
  fileprivate var isTokenDigit: Bool { isHexDigit || self == "_" }
}
