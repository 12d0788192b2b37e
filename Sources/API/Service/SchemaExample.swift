import JSON

/// Makes an example value for a schema from the examples in its parts.
struct SchemaExample {
  /// The JSON Schemas by name.
  let schemas: JSONObject

  func value(of schema: JSONValue) -> JSONValue { value(of: schema, depth: 0) }

  private func value(of schema: JSONValue, depth: Int) -> JSONValue {
    guard case .object(let object) = schema, depth < 32 else { return .null }
    if let first = object["examples"]?.elements?.first { return first }
    if let constant = object["const"] { return constant }
    if let first = object["enum"]?.elements?.first { return first }
    if let reference = object["$ref"]?.text,
      let name = reference.split(separator: "/").last, let named = schemas[String(name)]
    {
      return value(of: named, depth: depth + 1)
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
      if let first = object[keyword]?.elements?.first {
        return value(of: first, depth: depth + 1)
      }
    }
    return plain(object, depth)
  }

  private func plain(_ schema: JSONObject, _ depth: Int) -> JSONValue {
    var type = schema["type"]
    if case .array(let types) = type { type = types.first }
    switch type {
    case .string("object"):
      guard let properties = schema["properties"]?.object,
        let required = schema["required"]?.elements
      else { return [:] }
      return .object(
        JSONObject(
          properties.members.filter { required.contains(.string($0.key)) }
            .map { ($0.key, value(of: $0.value, depth: depth + 1)) }))
    case .string("array"):
      guard let items = schema["items"], depth < 28 else { return [] }
      return .array([value(of: items, depth: depth + 1)])
    case .string("string"): return "text"
    case .string("integer"), .string("number"): return schema["minimum"] ?? 0
    case .string("boolean"): return true
    default: return .null
    }
  }
}
