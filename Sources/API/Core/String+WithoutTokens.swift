extension String {
  /// The text with the secret of every token, whole or partial, replaced: `rh_…`. A secret sent in the wrong place is
  /// not repeated, because responses end up in logs and screenshots.
  var withoutTokens: String {
    guard contains("rh_") else { return self }
    var result = ""
    var rest = self[...]
    while let found = rest.firstRange(of: "rh_") {
      let secret = rest[found.upperBound...].prefix(while: \.isTokenDigit)
      result += rest[..<found.upperBound]
      // Shorter matches are ordinary words.
      result += secret.count < 16 ? secret : "…"
      rest = rest[secret.endIndex...]
    }
    return result + rest
  }
}

extension Character {
  fileprivate var isTokenDigit: Bool { isHexDigit || self == "_" }
}
