/// A language of the server's own texts. Its raw value is its language tag (RFC 5646).
enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case arabic = "ar"

  var texts: Texts {
    switch self {
    case .english: .english
    case .arabic: .arabic
    }
  }

  /// The best language for an `Accept-Language` field (RFC 9110 §12.5.4): by weight, then by order.
  /// English by default.
  init(acceptLanguage field: String?) {
    self = .english
    guard let field else { return }
    var best = 0
    // Limits the work for a field with thousands of languages.
    for part in field.utf8.split(separator: UInt8(ascii: ","), maxSplits: 32).prefix(32) {
      let range = QualityValue(part)
      guard range.weight > best, let language = Language(range: range.token) else { continue }
      best = range.weight
      self = language
    }
  }

  /// Parses a language range by its first subtag: `en-GB` is English. `*` is the default.
  private init?(range: String) {
    guard range != "*" else {
      self = .english
      return
    }
    let primary = range.utf8.prefix { $0 != UInt8(ascii: "-") }
    self.init(rawValue: String(decoding: primary, as: UTF8.self))
  }
}
