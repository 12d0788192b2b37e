import Inventory
import JSON

/// One thing that is wrong with a request, and where.
struct Fault: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    /// A member of the body.
    case member([String])
    /// A parameter of the query, or a part of the path.
    case parameter(String)
  }

  let place: Place
  /// One sentence for a person.
  let detail: String

  static func member(_ path: [String], _ detail: String) -> Fault {
    Fault(place: .member(path), detail: detail)
  }

  static func parameter(_ name: String, _ detail: String) -> Fault {
    Fault(place: .parameter(name), detail: detail)
  }
}

/// The faults of one request, gathered while it is read; past `Limits.faultsTold` they are not kept.
final class Faults {
  private(set) var all: [Fault] = []

  /// Whether no more are kept.
  var isFull: Bool { all.count >= Limits.faultsTold }

  func note(_ fault: Fault) {
    if !isFull, !all.contains(fault) { all.append(fault) }
  }

  /// Adds faults of a part of the body that was read by itself.
  func note(_ part: Faults, below path: [String]) {
    for fault in part.all {
      guard case .member(let member) = fault.place else { continue }
      note(.member(path + member, fault.detail))
    }
  }

  /// The faults of the body as the application has them.
  var violations: [Violation] {
    all.compactMap { fault in
      guard case .member(let path) = fault.place else { return nil }
      return Violation(path, fault.detail)
    }
  }

  /// Adds the rules' violations, but for those of fields that could not even be read.
  func note(_ violations: [Violation]) {
    let unread = Set(all.map(\.place))
    for violation in violations where !unread.contains(.member(violation.path)) {
      note(.member(violation.path, violation.detail))
    }
  }

  /// - Throws: what has been gathered, if anything has.
  func check() throws(Problem) {
    if !all.isEmpty { throw .invalid(all) }
  }
}
