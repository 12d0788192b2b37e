/// Details whose fields can be read and set by name: for the log, for undo, and for imports that omit fields.
package protocol NamedFields {
  /// The raw value is the field's name in JSON and in the log, with a dot before a nested member.
  associatedtype Field: RawRepresentable<String>, CaseIterable, Hashable, Sendable

  subscript(_ field: Field) -> FieldValue { get }

  /// Sets a field. Returns false if it cannot have the value.
  mutating func set(_ field: Field, to value: FieldValue) -> Bool
}

extension NamedFields {
  /// Copies fields, except those that these details cannot have.
  mutating func fill(_ fields: some Sequence<Field>, from other: Self) {
    for field in fields { _ = set(field, to: other[field]) }
  }
}

/// The value of a field. Two texts are equal if their bytes are.
package enum FieldValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  package init(_ text: String?) { self = text.map(Self.text) ?? .null }
  package init(_ number: Int64?) { self = number.map(Self.integer) ?? .null }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  package static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.text(let one), .text(let other)): one.hasBytes(of: other)
    case (.null, _), (.integer, _), (.text, _): false
    }
  }
}
