import JSON

/// Expands the short notation of schemas in the OpenAPI files to JSON Schema.
///
/// - `"Title"` refers to the schema `Title`, `"Title?"` to the same or null, and `"[Row]"` to an array of `Row`.
/// - A schema with `"nullable": true` allows null itself. `"nullable": "Title"` copies the schema `Title` and allows
///   null. Generators of clients drop members whose schema is a choice with null, and give poor names to copies of
///   enums, objects and arrays. So an enum, object or array that may be null allows null itself, or is a nullable copy
///   with a name.
/// - A name in lower case is a JSON type. `any` is any value.
/// - `["Title", "Kitchen"]` adds an example.
/// - An object with `members` allows no other members. All of them are required, except those in `optional` (`"all"`:
///   none is required). `extends` names a schema whose members come first. `ignored` lists members that are accepted
///   and not used.
/// - Any other object is JSON Schema with this notation inside.
struct SchemaNotation {
  /// The schemas in the notation, by name.
  let schemas: JSONObject

  /// Keywords whose value is one or more schemas.
  private static let holders: Set<String> = [
    "items", "anyOf", "oneOf", "allOf", "additionalProperties",
  ]

  func expanded(_ written: JSONValue) -> JSONValue {
    switch written {
    case .string(let text): named(text)
    case .array(let pair) where pair.count == 2: example(pair[1], of: expanded(pair[0]))
    case .object(var object):
      switch object.remove("nullable") {
      case .bool(true): nullable(expanded(.object(object)))
      case .string(let name):
        .object(JSONObject((optional(name).object?.members ?? []) + object.members))
      default: object.contains("members") ? closed(object) : plain(object)
      }
    default: written
    }
  }

  private func plain(_ written: JSONObject) -> JSONValue {
    .object(
      JSONObject(
        written.members.map { key, value in
          (key, Self.holders.contains(key) ? held(value) : value)
        }))
  }

  /// The named schema or null.
  private func optional(_ name: String) -> JSONValue {
    let written = schemas[name] ?? .null
    return written.object?["nullable"] == nil ? nullable(expanded(written)) : named(name)
  }

  private func nullable(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema, let type = object["type"] else { return schema }
    object.set("type", to: [type, "null"])
    if let choices = object["enum"]?.elements { object.set("enum", to: .array(choices + [.null])) }
    return .object(object)
  }

  private func held(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let schemas): .array(schemas.map(expanded))
    case .bool: value
    default: expanded(value)
    }
  }

  private func named(_ text: String) -> JSONValue {
    if text.hasPrefix("[") {
      let isNullable = text.hasSuffix("?")
      let element = text.dropFirst().dropLast(isNullable ? 2 : 1)
      let type: JSONValue = isNullable ? ["array", "null"] : "array"
      return ["type": type, "items": named(String(element))]
    }
    let isNullable = text.hasSuffix("?")
    let name = isNullable ? String(text.dropLast()) : text
    if name == "any" { return [:] }
    // With the type null alone, generators for Swift use a type that does not exist.
    if name == "null" { return ["type": ["string", "null"], "const": .null] }
    if name.first?.isLowercase == true {
      return ["type": isNullable ? [.string(name), "null"] : .string(name)]
    }
    return isNullable ? optional(name) : ["$ref": .string("#/components/schemas/" + name)]
  }

  private func example(_ example: JSONValue, of schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    object.set("examples", to: [example])
    return .object(object)
  }

  /// An object schema with its own and inherited members and no others.
  private func closed(_ written: JSONObject) -> JSONValue {
    var (properties, required) = (JSONObject(), [JSONValue]())
    gather(written, &properties, &required)
    var object = JSONObject([("type", "object")])
    for (key, value) in written.members
    where !["members", "optional", "extends", "ignored"].contains(key) {
      object.set(key, to: value)
    }
    object.set("properties", to: .object(properties))
    if !required.isEmpty { object.set("required", to: .array(required)) }
    object.set("additionalProperties", to: false)
    return .object(object)
  }

  private func gather(
    _ written: JSONObject, _ properties: inout JSONObject, _ required: inout [JSONValue]
  ) {
    if case .string(let name) = written["extends"], case .object(let base) = schemas[name] {
      gather(base, &properties, &required)
    }
    for name in written.texts("ignored") {
      properties.set(name, to: ["description": "Accepted and ignored."])
    }
    guard case .object(let members) = written["members"] else { return }
    let optional = written["optional"]
    for (key, value) in members.members {
      properties.set(key, to: expanded(value))
      let isOptional =
        switch optional {
        case .array(let names): names.contains(.string(key))
        case .string("all"): true
        default: false
        }
      if !isOptional, !required.contains(.string(key)) { required.append(.string(key)) }
    }
  }
}
