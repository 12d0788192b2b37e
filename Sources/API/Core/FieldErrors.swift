import Inventory

/// Collects the errors of one request while it is read, up to `Limits.reportedErrors`.
final class FieldErrors {
  private(set) var all: [FieldError] = []

  /// Whether further errors are dropped.
  var isFull: Bool { all.count >= Limits.reportedErrors }

  func note(_ fault: FieldError) {
    if !isFull, !all.contains(fault) { all.append(fault) }
  }

  /// Adds the errors of a part of the body that was read separately.
  func note(_ part: FieldErrors, below path: [String]) {
    for fault in part.all {
      guard case .member(let member) = fault.place else { continue }
      note(.member(path + member, fault.detail))
    }
  }

  /// Adds the rules' errors, except for fields that already have one because they could not be read.
  func note(_ fieldErrors: [FieldError]) {
    let unread = Set(all.map(\.place))
    for error in fieldErrors where !unread.contains(error.place) { note(error) }
  }

  /// - Throws: the collected errors, if there are any.
  func check() throws(Problem) {
    if !all.isEmpty { throw .invalid(all) }
  }

  /// Reads a value while the store makes a change.
  ///
  /// - Throws: `invalid` with the errors that `read` noted.
  static func checked<Value>(
    _ read: (FieldErrors) throws(InventoryError) -> Value
  ) throws(InventoryError) -> Value {
    let faults = FieldErrors()
    let value = try read(faults)
    guard faults.all.isEmpty else { throw .invalid(faults.all) }
    return value
  }
}

extension Problem {
  /// One error in a line.
  static func invalid(
    line: Int, _ detail: String, in place: FieldError.Place? = nil
  ) -> Problem {
    invalid(lines: [FieldError(line: line, place, detail)])
  }

  /// - Parameter faults: errors in the order found. The first `Limits.reportedErrors` are reported, sorted by line.
  static func invalid(lines faults: [FieldError]) -> Problem {
    let told = faults.prefix(Limits.reportedErrors).enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(
        \.element)
    guard let first = told.first, let line = first.line else {
      return Problem(.invalidLines, "Some lines are not valid.")
    }
    // Reading stopped at the limit.
    let more = told.count == Limits.reportedErrors ? " There may be more." : ""
    return Problem(
      .invalidLines, "Line \(line): \(first.detail)\(more)",
      extensions: [.line(line), .lines(told)])
  }
}

extension LineConflict {
  /// The error text for people.
  var sentence: String {
    switch reason {
    case .idTaken: "Another row has this id. To add a copy, leave the id out."
    case .otherKind: "This id belongs to another kind of thing."
    case .elsewhere:
      "The contents of an item stay the contents of that item, and no other list becomes contents. The root list has no parent."
    case .inTrash: "The row with this id is in the trash."
    case .noParent: "No list or item has the parent's id, neither here nor on an earlier line."
    case .otherContents: "The item has another contents list."
    case .secondTop: "Only the first list has no parent."
    case .kindMismatch: "Its list takes items of another kind."
    case .tooDeep:
      "It would be below the lowest level for lists, or its location has more than \(Limits.roomsInOneCell) lists."
    case .repeated:
      switch match {
      case .id: "An earlier line has the same id."
      case .reference: "An earlier line changes the item with this reference."
      case .serialNumber: "An earlier line changes the item with this serial number."
      }
    case .ambiguousLocation:
      "Its location names one of several lists with the same title. Rename the others."
    case .tooManyPhotos: "An item has at most \(Limits.photosOfItem) photos."
    }
  }
}
