import HTTP
import JSON

extension APIHandler {
  /// `GET /v1/texts`: the client's own texts, in addition to those in screens. Needs no token.
  func texts(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    let language = request.context.language
    var writer = JSONWriter(capacity: 8192)
    writer.beginObject()
    writer.languageMembers(language)
    writer.key("languages")
    writer.beginArray()
    for other in Language.allCases {
      writer.beginObject()
      writer.languageMembers(other)
      writer.endObject()
    }
    writer.endArray()
    writer.key("texts")
    writer.beginObject()
    for text in InterfaceText.allCases {
      writer.key(text.rawValue)
      writer.string(language.texts.interface(text))
    }
    writer.endObject()
    writer.endObject()
    return .now(request.context.response(json: writer.finish()))
  }
}

extension JSONWriter {
  fileprivate mutating func languageMembers(_ language: Language) {
    member("language", language.rawValue)
    member("name", language.texts.name)
    member("dir", language.texts.direction.rawValue)
  }
}
