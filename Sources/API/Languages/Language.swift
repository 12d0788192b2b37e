import HTTP
import Inventory
import Navigation

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
    var best = 0
    for range in QualityValue.list(field) {
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

struct FaultTexts: Sendable {
  let title: String
  let explanation: String

  init(_ title: String, _ explanation: String) {
    self.title = title
    self.explanation = explanation
  }
}

/// The texts of one language, used where an owner has not set one.
struct Texts: Sendable {
  /// The language's own name.
  let name: String
  let direction: WritingDirection
  /// The text of a list's pinned last row.
  let sentinel: String
  /// The texts of bars.
  let screens: ScreenTexts
  /// The title of the section of rows worth more than an amount. Without a currency, the amount is in US dollars.
  let worthMore: @Sendable (Cents, Currency?) -> String
  /// The title of the section of all other rows.
  let remainder: String
  let hardToRead: @Sendable (Appearance.Warning) -> String
  /// The client's own texts.
  let interface: @Sendable (InterfaceText) -> String
  /// The heading of the problems page.
  let problems: String
  let title: @Sendable (ProblemCode) -> String
  /// The meaning of a problem and its remedy, for people.
  let explanation: @Sendable (ProblemCode) -> String
  /// The texts of an error that the HTTP server finds. Nil if they are only in English: without a valid head, the
  /// reader's language is not known.
  let fault: @Sendable (RequestFault) -> FaultTexts?

  /// The label of the button that deletes a row.
  var deleteLabel: String { screens.deleteLabel }
}
