import JSON

/// A file of the contract: some operations with the schemas that they need.
struct OpenAPIArea {
  /// The heading that they stand under, one of the document's tags.
  let tag: String
  let schemas: JSONObject
  /// Schemas that others extend, and that are nothing by themselves.
  let parts: JSONObject
  /// By the schema of an answer: the operations that it leads to, and which of its values they take.
  let links: JSONObject
  /// By method and path, as `GET /v1/lists`.
  let operations: JSONObject

  /// Nil for what is no area of its own.
  init?(_ file: JSONObject) {
    func object(_ name: String) -> JSONObject {
      if case .object(let object) = file[name] { object } else { JSONObject() }
    }
    guard file.contains("operations") || file.contains("schemas") else { return nil }
    tag = file.text("tag") ?? ""
    schemas = object("schemas")
    parts = object("parts")
    links = object("links")
    operations = object("operations")
  }
}

extension JSONObject {
  func object(_ name: String) -> JSONObject? {
    if case .object(let object) = self[name] { object } else { nil }
  }

  func text(_ name: String) -> String? {
    if case .string(let text) = self[name] { text } else { nil }
  }

  func texts(_ name: String) -> [String] {
    guard case .array(let values) = self[name] else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
