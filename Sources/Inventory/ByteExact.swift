/// A text, or several, compared byte by byte.
///
/// Swift considers texts equal that look the same, such as "é" in one scalar and in two
/// (https://www.unicode.org/reports/tr15/#Canon_Compat_Equivalence). Here replacing one by the other is a change,
/// because texts are kept as they came.
@propertyWrapper
package struct ByteExact<Value: ByteExactText & Hashable & Sendable>: Hashable, Sendable {
  package var wrappedValue: Value
  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (one: Self, other: Self) -> Bool {
    one.wrappedValue.hasBytes(of: other.wrappedValue)
  }
}

package protocol ByteExactText {
  /// Whether both have the same bytes.
  func hasBytes(of other: Self) -> Bool
}

extension String: ByteExactText {
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Optional: ByteExactText where Wrapped: ByteExactText {
  package func hasBytes(of other: Wrapped?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasBytes(of: other)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}

extension Array: ByteExactText where Element: ByteExactText {
  package func hasBytes(of other: [Element]) -> Bool {
    elementsEqual(other) { $0.hasBytes(of: $1) }
  }
}
