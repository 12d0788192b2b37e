import JSON

/// Tells where a value does not fit a schema of a document of OpenAPI 3.1.
///
/// It knows the keywords of JSON Schema 2020-12 that the document uses, and takes any other for a fault.
struct SchemaCheck {
  let document: JSONValue

  /// Each fault with its place in the value.
  func faults(of value: JSONValue, by schema: JSONValue, at place: String = "") -> [String] {
    guard case .object(let schema) = schema else { return ["\(place): the schema is no object"] }
    return schema.members.flatMap { keyword, rule in
      faults(of: value, by: keyword, rule, schema, at: place)
    }
  }

  private func faults(
    of value: JSONValue, by keyword: String, _ rule: JSONValue, _ schema: JSONObject,
    at place: String
  ) -> [String] {
    func fault(unless isMet: Bool) -> [String] {
      isMet ? [] : ["\(place): \(keyword) \(Self.brief(rule)), but it is \(Self.brief(value))"]
    }
    switch (keyword, rule, value) {
    case ("$ref", .string(let reference), _):
      guard let target = self[reference] else { return ["\(place): nothing is at \(reference)"] }
      return faults(of: value, by: target, at: place)
    case ("type", .string(let type), _): return fault(unless: Self.type(type, describes: value))
    case ("type", .array(let types), _):
      return fault(
        unless: types.contains { type in
          if case .string(let type) = type { Self.type(type, describes: value) } else { false }
        })
    case ("const", _, _): return fault(unless: rule == value)
    case ("enum", .array(let choices), _): return fault(unless: choices.contains(value))
    case ("allOf", .array(let schemas), _):
      return schemas.flatMap { faults(of: value, by: $0, at: place) }
    case ("anyOf", .array(let schemas), _):
      let attempts = schemas.map { faults(of: value, by: $0, at: place) }
      // Of all that it is not, the one that it is nearly.
      return attempts.contains([]) ? [] : attempts.min { $0.count < $1.count } ?? []
    case ("oneOf", .array(let schemas), _):
      let attempts = schemas.map { faults(of: value, by: $0, at: place) }
      return attempts.count { $0.isEmpty } == 1
        ? [] : attempts.min { $0.count < $1.count } ?? ["\(place): it fits several choices"]
    case ("discriminator", _, .object(let object)):
      let name = Self.text(rule["propertyName"]) ?? ""
      let isMapped = Self.text(object[name]).map { rule["mapping"]?[$0] != nil } ?? false
      return fault(unless: isMapped)
    case ("discriminator", _, _): return []
    case ("if", _, _):
      let isMet = faults(of: value, by: rule, at: place).isEmpty
      return schema[isMet ? "then" : "else"].map { faults(of: value, by: $0, at: place) } ?? []
    case ("then", _, _), ("else", _, _): return []
    case ("properties", .object(let properties), .object(let object)):
      return properties.members.flatMap { name, schema in
        object[name].map { faults(of: $0, by: schema, at: "\(place)/\(name)") } ?? []
      }
    case ("required", .array(let names), .object(let object)):
      return names.compactMap { name in
        guard case .string(let name) = name, !object.contains(name) else { return nil }
        return "\(place): \(name) is missing"
      }
    case ("additionalProperties", false, .object(let object)):
      guard case .object(let known) = schema["properties"] else { return [] }
      return object.members.map(\.key).filter { !known.contains($0) }
        .map { "\(place): \($0) is not described" }
    case ("items", _, .array(let elements)):
      return elements.enumerated().flatMap { index, element in
        faults(of: element, by: rule, at: "\(place)/\(index)")
      }
    case ("uniqueItems", true, .array(let elements)):
      return fault(
        unless: elements.enumerated().allSatisfy { !elements[..<$0].contains($1) })
    case ("minItems", .number(let least), .array(let elements)):
      return fault(unless: Double(elements.count) >= least.double)
    case ("maxItems", .number(let most), .array(let elements)):
      return fault(unless: Double(elements.count) <= most.double)
    case ("minProperties", .number(let least), .object(let object)):
      return fault(unless: Double(object.count) >= least.double)
    case ("maxProperties", .number(let most), .object(let object)):
      return fault(unless: Double(object.count) <= most.double)
    case ("minimum", .number(let least), .number(let number)):
      return fault(unless: number.double >= least.double)
    case ("maximum", .number(let most), .number(let number)):
      return fault(unless: number.double <= most.double)
    case ("minLength", .number(let least), .string(let text)):
      return fault(unless: Double(text.unicodeScalars.count) >= least.double)
    case ("maxLength", .number(let most), .string(let text)):
      return fault(unless: Double(text.unicodeScalars.count) <= most.double)
    case ("pattern", .string(let pattern), .string(let text)):
      return fault(unless: Self.text(text, matches: pattern))
    case ("format", .string("uuid"), .string(let text)):
      return fault(
        unless: Self.text(text, matches: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"))
    case ("format", .string("date-time"), .string(let text)):
      return fault(
        unless: Self.text(
          text, matches: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]+([Zz]|[+-][0-9:]+)$"))
    case ("title", _, _), ("description", _, _), ("examples", _, _), ("default", _, _),
      ("format", _, _):
      return []
    case ("properties", _, _), ("required", _, _), ("additionalProperties", _, _), ("items", _, _),
      ("uniqueItems", _, _), ("minItems", _, _), ("maxItems", _, _), ("minProperties", _, _),
      ("maxProperties", _, _), ("minimum", _, _), ("maximum", _, _), ("minLength", _, _),
      ("maxLength", _, _), ("pattern", _, _):
      return []
    default: return ["\(place): the keyword \(keyword) is not known here"]
    }
  }

  /// What a reference within the document leads to: `#/components/schemas/List`.
  subscript(reference: String) -> JSONValue? {
    reference.hasPrefix("#")
      ? JSONPointer(text: String(reference.dropFirst()))?.evaluate(document) : nil
  }

  private static func type(_ type: String, describes value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("number", .number):
      true
    case ("integer", .number(let number)): number.int64 != nil
    default: false
    }
  }

  private static func text(_ value: JSONValue?) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  private static func text(_ text: String, matches pattern: String) -> Bool {
    guard let expression = try? Regex(pattern).matchingSemantics(.unicodeScalar) else {
      return false
    }
    return text.contains(expression)
  }

  private static func brief(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(String(decoding: writer.finish(), as: UTF8.self).prefix(120))
  }
}
