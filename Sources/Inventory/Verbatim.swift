/// A text, or several, compared byte by byte.
///
/// Swift considers texts equal that look the same, such as "é" in one scalar and in two
/// (https://www.unicode.org/reports/tr15/#Canon_Compat_Equivalence). Here replacing one by the other is a change,
/// because texts are kept as they came.
@propertyWrapper
package struct Verbatim<Value: VerbatimText & Hashable & Sendable>: Hashable, Sendable {
  package var wrappedValue: Value
  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (one: Self, other: Self) -> Bool {
    one.wrappedValue.hasBytes(of: other.wrappedValue)
  }
}

package protocol VerbatimText {
  /// Whether both have the same bytes.
  func hasBytes(of other: Self) -> Bool
}

extension String: VerbatimText {
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Optional: VerbatimText where Wrapped: VerbatimText {
  package func hasBytes(of other: Wrapped?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasBytes(of: other)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}

extension Array: VerbatimText where Element: VerbatimText {
  package func hasBytes(of other: [Element]) -> Bool {
    elementsEqual(other) { $0.hasBytes(of: $1) }
  }
}
