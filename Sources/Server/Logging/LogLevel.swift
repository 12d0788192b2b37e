/// Severity. A log at one level includes all higher ones.
package enum LogLevel: Int, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue < right.rawValue
  }

  package var name: StaticString {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { "\($0.name)" == name }) else { return nil }
    self = level
  }
}
