/// A text, or several, compared byte by byte.
///
/// Swift considers canonically equivalent texts equal, such as "é" as one scalar and as two
/// (https://www.unicode.org/reports/tr15/#Canon_Compat_Equivalence). Here such texts differ, because texts are kept byte
/// by byte, and replacing one by the other is a change.
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
