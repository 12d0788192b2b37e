import Inventory
import JSON

/// One thing that is wrong with a line of what was sent, and where in it.
struct LineFault: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    /// A member of the line's object.
    case member([String])
    case column(String)

    /// What the answer calls it.
    var name: String {
      switch self {
      case .member: "pointer"
      case .column: "column"
      }
    }

    var text: String {
      switch self {
      case .member(let path): JSONPointer(tokens: path).text
      case .column(let name): name
      }
    }
  }

  let line: Int
  let place: Place?
  /// One sentence for a person.
  let detail: String

  init(_ line: Int, _ place: Place? = nil, _ detail: String) {
    self.line = line
    self.place = place
    self.detail = detail
  }

  init(_ violation: LineViolation) {
    self.init(violation.line, .member(violation.violation.path), violation.violation.detail)
  }

  /// What is wrong with a line that is a JSON object of its own.
  init(_ line: Int, _ fault: Fault) {
    switch fault.place {
    case .member(let path): self.init(line, .member(path), fault.detail)
    case .parameter: self.init(line, nil, fault.detail)
    }
  }
}

extension Problem {
  /// - Parameter faults: in the order in which they were found; at most `Limits.faultsTold` are told, line by line.
  static func invalid(lines faults: [LineFault]) -> Problem {
    let told = faults.prefix(Limits.faultsTold).enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    guard let first = told.first else {
      return Problem(.invalidLines, "Some lines are not valid.")
    }
    // Whoever found so many has looked no further.
    let more = told.count == Limits.faultsTold ? " There may be more." : ""
    return Problem(
      .invalidLines, "Line \(first.line): \(first.detail)\(more)",
      extensions: [.line(first.line), .lines(told)])
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
