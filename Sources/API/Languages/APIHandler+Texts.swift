import HTTP
import JSON
import WebApp

extension APIHandler {
  /// `GET /v1/texts`: the client's own texts, in addition to those in screens. Needs no token.
  func texts(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    let page = TextsPage.whole[request.context.language]
    var response =
      request.holds(tag: page.tag)
      ? request.context.empty(304) : request.context.response(json: page.bytes)
    response.fields.append("ETag", "\"\(page.tag)\"")
    return .now(response)
  }
}

/// Texts of the client in one language, as JSON. They never change while the program runs.
struct TextsPage: Sendable {
  let bytes: [UInt8]
  /// The entity tag without quotes. It changes with the bytes.
  let tag: String

  /// All texts: the body of `GET /v1/texts`.
  static let whole = Translations(of: InterfaceText.allCases)
  /// The texts that the web app's first screen needs.
  static let first = Translations(
    of: InterfaceText.allCases.filter { WebFile.wordsOfFirstScreen.contains($0.rawValue) })

  /// The same texts in each language.
  struct Translations: Sendable {
    private let english: TextsPage
    private let arabic: TextsPage

    fileprivate init(of texts: [InterfaceText]) {
      english = TextsPage(texts, in: .english)
      arabic = TextsPage(texts, in: .arabic)
    }

    subscript(_ language: Language) -> TextsPage {
      switch language {
      case .english: english
      case .arabic: arabic
      }
    }
  }

  private init(_ texts: [InterfaceText], in language: Language) {
    bytes = JSONWriter.bytes(capacity: 8192) { writer in
      writer.object { writer in
        writer.languageMembers(language)
        writer.objects("languages", Language.allCases) { $0.languageMembers($1) }
        writer.object("texts") { writer in
          for text in texts {
            writer.key(text.rawValue)
            writer.string(language.texts.interface(text))
          }
        }
      }
    }
    tag = WebFile.checksum(bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func languageMembers(_ language: Language) {
    member("language", language.rawValue)
    member("name", language.texts.name)
    member("dir", language.texts.direction.rawValue)
  }
}
