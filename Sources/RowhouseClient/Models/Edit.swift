/// A change of an optional field.
public enum Edit<Value: Encodable & Sendable>: Sendable {
  /// Keeps the value.
  case keep
  /// Removes the value.
  case clear
  case set(Value)

  /// - Parameter value: The new value; nil clears the field.
  public init(_ value: Value?) { self = value.map { .set($0) } ?? .clear }

  var isKept: Bool { if case .keep = self { true } else { false } }
}

extension KeyedEncodingContainer {
  /// Writes nothing for ``Edit/keep`` and null for ``Edit/clear``, as in RFC 7396.
  mutating func encode<Value>(_ edit: Edit<Value>, forKey key: Key) throws {
    switch edit {
    case .keep: break
    case .clear: try encodeNil(forKey: key)
    case .set(let value): try encode(value, forKey: key)
    }
  }
}
