import Inventory

/// The faults of one request, gathered while it is read; past `Limits.faultsTold` they are not kept.
final class FieldErrors {
  private(set) var all: [FieldError] = []

  /// Whether no more are kept.
  var isFull: Bool { all.count >= Limits.faultsTold }

  func note(_ fault: FieldError) {
    if !isFull, !all.contains(fault) { all.append(fault) }
  }

  /// Adds faults of a part of the body that was read by itself.
  func note(_ part: FieldErrors, below path: [String]) {
    for fault in part.all {
      guard case .member(let member) = fault.place else { continue }
      note(.member(path + member, fault.detail))
    }
  }

  /// Those of the body.
  var violations: [FieldError] {
    all.filter { if case .member = $0.place { true } else { false } }
  }

  /// Adds the rules' violations, but for those of fields that could not even be read.
  func note(_ violations: [FieldError]) {
    let unread = Set(all.map(\.place))
    for violation in violations where !unread.contains(violation.place) { note(violation) }
  }

  /// - Throws: what has been gathered, if anything has.
  func check() throws(Problem) {
    if !all.isEmpty { throw .invalid(all) }
  }
}

extension Problem {
  /// - Parameter faults: in the order in which they were found; at most `Limits.faultsTold` are told, line by line.
  static func invalid(lines faults: [FieldError]) -> Problem {
    let told = faults.prefix(Limits.faultsTold).enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(
        \.element)
    guard let first = told.first, let line = first.line else {
      return Problem(.invalidLines, "Some lines are not valid.")
    }
    // Whoever found so many has looked no further.
    let more = told.count == Limits.faultsTold ? " There may be more." : ""
    return Problem(
      .invalidLines, "Line \(line): \(first.detail)\(more)",
      extensions: [.line(line), .lines(told)])
  }
}

extension LineConflict.Reason {
  /// For a person.
  var sentence: String {
    switch self {
    case .idTaken: "Something else has this id."
    case .otherKind: "This id belongs to another kind of thing."
    case .elsewhere: "The row with this id is somewhere else."
    case .inTrash: "The row with this id is in the trash."
    case .noParent: "No list or item has the parent's id, neither here nor on an earlier line."
    case .otherContents: "The item has another contents list."
    case .secondTop: "Only the first list has no parent."
    case .kindMismatch: "Its list takes items of another kind."
    case .tooDeep: "It would be below the lowest level for lists."
    case .repeated: "An earlier line has the same id."
    case .tooManyPhotos: "An item has at most \(Limits.photosOfItem) photos."
    }
  }
}
