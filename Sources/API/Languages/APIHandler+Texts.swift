import HTTP
import JSON

extension APIHandler {
  /// `GET /v1/texts`: what a client writes beside what it is told by screens, before it has a token, too.
  func texts(_ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    let language = exchange.audience.language
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
    return .response(exchange.audience.response(json: writer.finish()))
  }
}

extension JSONWriter {
  fileprivate mutating func languageMembers(_ language: Language) {
    key("language")
    string(language.rawValue)
    key("name")
    string(language.texts.name)
    key("dir")
    string(language.texts.direction.rawValue)
  }
}
