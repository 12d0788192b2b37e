/// What becomes of a field that can be without a value.
public enum Edit<Value: Encodable & Sendable>: Sendable {
  /// It stays as it is.
  case keep
  /// It has no value from now on.
  case clear
  case set(Value)

  /// - Parameter value: nil clears.
  public init(_ value: Value?) { self = value.map { .set($0) } ?? .clear }

  var isKept: Bool { if case .keep = self { true } else { false } }
}

extension KeyedEncodingContainer {
  /// Writes nothing for ``Edit/keep`` and null for ``Edit/clear``, as RFC 7396 has it.
  mutating func encode<Value>(_ edit: Edit<Value>, forKey key: Key) throws {
    switch edit {
    case .keep: break
    case .clear: try encodeNil(forKey: key)
    case .set(let value): try encode(value, forKey: key)
    }
  }
}
