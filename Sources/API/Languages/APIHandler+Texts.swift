import HTTP
import JSON

extension APIHandler {
  /// `GET /v1/texts`: the client's own texts, in addition to those in screens. Needs no token.
  func texts(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    let language = request.context.language
    let response = request.context.object(capacity: 8192) { writer in
      writer.languageMembers(language)
      writer.objects("languages", Language.allCases) { $0.languageMembers($1) }
      writer.object("texts") { writer in
        for text in InterfaceText.allCases {
          writer.key(text.rawValue)
          writer.string(language.texts.interface(text))
        }
      }
    }
    return .now(response)
  }
}

extension JSONWriter {
  fileprivate mutating func languageMembers(_ language: Language) {
    member("language", language.rawValue)
    member("name", language.texts.name)
    member("dir", language.texts.direction.rawValue)
  }
}
