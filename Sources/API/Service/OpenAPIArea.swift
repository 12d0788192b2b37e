import JSON

/// A file of the OpenAPI document: operations with their schemas.
struct OpenAPIArea {
  /// The document's tag of these operations.
  let tag: String
  let schemas: JSONObject
  /// Schemas that others extend and that are not published themselves.
  let parts: JSONObject
  /// For each response schema, the operations it links to and the values they use.
  let links: JSONObject
  /// The operations by method and path, such as `GET /v1/lists`.
  let operations: JSONObject

  /// Nil if the file has neither operations nor schemas.
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
