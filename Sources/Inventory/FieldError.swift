/// One error in a request, and its place.
package struct FieldError: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// A member of the body, or of a line's object, by its path from the top: `["car", "year"]`.
    case member([String])
    /// A parameter of the query or the path.
    case parameter(String)
    /// A column of a table.
    case column(String)
  }

  /// The line, counted from 1; nil for a body that is not read by lines.
  package var line: Int?
  /// Nil for an error of a whole line.
  package let place: Place?
  /// One sentence for a person.
  package let detail: String
}

extension FieldError {
  package init(_ path: [String], _ detail: String) {
    self.init(place: .member(path), detail: detail)
  }

  package init(line: Int, _ place: Place? = nil, _ detail: String) {
    self.init(line: line, place: place, detail: detail)
  }

  package static func member(_ path: [String], _ detail: String) -> FieldError {
    FieldError(path, detail)
  }

  package static func parameter(_ name: String, _ detail: String) -> FieldError {
    FieldError(place: .parameter(name), detail: detail)
  }

  /// The path of the member; empty for other places.
  package var path: [String] { if case .member(let path) = place { path } else { [] } }

  /// The same error, with a line.
  package func on(line: Int) -> FieldError { FieldError(line: line, place, detail) }
}
