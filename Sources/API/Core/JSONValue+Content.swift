import JSON

/// The content of a value. Nil if the value is of another type.
extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }

  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// A 64-bit whole number in any spelling: 1, 1.0, 1e0.
  var int64: Int64? { if case .number(let number) = self { number.int64 } else { nil } }

  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}

extension JSONObject {
  /// The strings in a member that is an array.
  func texts(_ name: String) -> [String] { self[name]?.elements?.compactMap(\.text) ?? [] }
}
