extension String {
  /// The text with `rh_…` for all that looks like a token or a part of one: what a client has sent in a wrong
  /// place is not repeated to it, since answers end up in logs and in screenshots.
  var withoutTokens: String {
    guard contains("rh_") else { return self }
    var result = ""
    var rest = self[...]
    while let found = rest.firstRange(of: "rh_") {
      let secret = rest[found.upperBound...].prefix(while: \.isTokenDigit)
      result += rest[..<found.upperBound]
      // Shorter ones are words of people.
      result += secret.count < 16 ? secret : "…"
      rest = rest[secret.endIndex...]
    }
    return result + rest
  }
}

extension Character {
  fileprivate var isTokenDigit: Bool { isHexDigit || self == "_" }
}
