import HTTP
import JSON
import WebApp

extension APIHandler {
  /// `GET /v1/texts`: the client's own texts, in addition to those in screens. Needs no token.
  func texts(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    let page = TextsPage.of(request.context.language)
    var response =
      request.holds(tag: page.tag)
      ? request.context.empty(304) : request.context.response(json: page.bytes)
    response.fields.append("ETag", "\"\(page.tag)\"")
    return .now(response)
  }
}

/// The body of `GET /v1/texts` in one language. It never changes while the program runs.
struct TextsPage: Sendable {
  let bytes: [UInt8]
  /// The entity tag without quotes. It changes with the bytes.
  let tag: String

  private static let english = TextsPage(in: .english)
  private static let arabic = TextsPage(in: .arabic)

  static func of(_ language: Language) -> TextsPage {
    switch language {
    case .english: english
    case .arabic: arabic
    }
  }

  private init(in language: Language) {
    bytes = JSONWriter.bytes(capacity: 8192) { writer in
      writer.object { writer in
        writer.languageMembers(language)
        writer.objects("languages", Language.allCases) { $0.languageMembers($1) }
        writer.object("texts") { writer in
          for text in InterfaceText.allCases {
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
