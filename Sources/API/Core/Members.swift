import FoundationEssentials
import Inventory
import JSON

/// Reads the members of one JSON object of a body and adds errors to `faults`.
struct Members {
  private let object: JSONObject
  private let path: [String]
  let faults: FieldErrors

  /// Adds an error for every unknown member. Ignores read-only members.
  init(
    _ object: JSONObject, at path: [String] = [], known: [String], readOnly: [String] = [],
    _ faults: FieldErrors
  ) {
    self.object = object
    self.path = path
    self.faults = faults
    for member in object.members {
      guard !faults.isFull else { return }
      if known.contains(member.key) || readOnly.contains(member.key) { continue }
      note(
        member.key,
        known.isEmpty
          ? "This call takes no members."
          : "Unknown member. Known members: \(known.joined(separator: ", ")).")
    }
  }

  /// The value of a member. Nil if it is absent or null.
  subscript(name: String) -> JSONValue? {
    switch object[name] {
    case nil, .null: nil
    case let value?: value
    }
  }

  func isGiven(_ name: String) -> Bool { object.contains(name) }

  func note(_ name: String, _ detail: String) {
    faults.note(.member(path + [name], detail))
  }

  func text(_ name: String) -> String? {
    switch self[name] {
    case nil: return nil
    case .string(let text): return text
    default:
      note(name, "Send a string or null.")
      return nil
    }
  }

  func flag(_ name: String, default value: Bool) -> Bool {
    switch self[name] {
    case nil: return value
    case .bool(let flag): return flag
    default:
      note(name, "Send true or false.")
      return value
    }
  }

  /// A 64-bit whole number in any spelling: 1, 1.0, 1e0.
  func whole(_ name: String) -> Int64? {
    guard let value = self[name] else { return nil }
    guard case .number(let number) = value, let whole = number.int64 else {
      note(name, "Enter a whole number.")
      return nil
    }
    return whole
  }

  /// A required index: a whole number, 0 or more.
  func index(_ name: String) -> Int? {
    guard let value = self[name] else {
      note(name, "Send an index, counted from 0.")
      return nil
    }
    guard case .number(let number) = value, let whole = number.int64, whole >= 0 else {
      note(name, "An index is a whole number from 0.")
      return nil
    }
    return Int(whole)
  }

  /// A number with at most two decimals, in hundredths.
  func hundredths(_ name: String) -> Int64? {
    guard let value = self[name] else { return nil }
    guard case .number(let number) = value else {
      note(name, "Enter a number, such as 12.50, or null.")
      return nil
    }
    do throws(JSONNumber.ScalingError) {
      return try number.exactly(places: 2)
    } catch {
      switch error {
      case .tooManyPlaces: note(name, "Use at most two decimals.")
      case .outOfRange: note(name, "The number is out of range.")
      }
      return nil
    }
  }

  /// An RFC 3339 date-time.
  func time(_ name: String) -> Timestamp? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value, let time = Timestamp(rfc3339: text) else {
      note(name, "Send a time, such as 2026-11-20T08:30:00Z.")
      return nil
    }
    return time
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) -> Choice?
  where Choice.RawValue == String {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
      note(name, "One of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
      return nil
    }
    return choice
  }

  func identifier<ID: Identifier>(_ name: String, as: ID.Type = ID.self) -> ID? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value, let id = ID(text: text) else {
      note(name, "Send an id: a UUID of 36 characters.")
      return nil
    }
    return id
  }

  /// A list's id or `root`.
  func list(_ name: String) -> ListReference? {
    guard let value = self[name] else { return nil }
    if case .string("root") = value { return .root }
    guard case .string(let text) = value, let id = ListID(text: text) else {
      note(name, "Send a list's id, or \"root\".")
      return nil
    }
    return .id(id)
  }

  /// An array element with its index in the request.
  typealias Numbered<Element> = (index: Int, element: Element)

  /// The elements of an array as `element` converts them. Where it returns nil, the element is left out with the
  /// error "Send `expected`."
  func array<Element>(
    _ name: String, of expected: String, _ element: (JSONValue) -> Element?
  ) -> [Numbered<Element>]? {
    guard let value = self[name] else { return nil }
    guard case .array(let values) = value else {
      note(name, "Send an array. Each element is \(expected).")
      return nil
    }
    var elements: [Numbered<Element>] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      if let element = element(value) {
        elements.append((index, element))
      } else {
        faults.note(.member(path + [name, String(index)], "Send \(expected)."))
        if faults.isFull { break }
      }
    }
    return elements
  }

  /// Row ids. Nil if the member is absent, null or not an array.
  func rows(_ name: String) -> [Numbered<RowID>]? {
    array(name, of: "an id") { value in
      guard case .string(let text) = value else { return nil }
      return RowID(text: text)
    }
  }

  func object(_ name: String) -> JSONObject? {
    switch self[name] {
    case nil: return nil
    case .object(let object): return object
    default:
      note(name, "Send an object or null.")
      return nil
    }
  }

  /// Reads an object nested in these members.
  func nested<Value>(
    _ object: JSONObject, at place: [String], known: [String], readOnly: [String],
    _ read: (Members, [String], FieldErrors) -> Value
  ) -> Value {
    let path = path + place
    return read(Members(object, at: path, known: known, readOnly: readOnly, faults), path, faults)
  }

  /// Reads an object with its own `FieldErrors`, and adds them below the member's name.
  func separately<Value>(_ name: String, _ read: (JSONObject, FieldErrors) -> Value) -> Value? {
    guard let object = object(name) else { return nil }
    let own = FieldErrors()
    let value = read(object, own)
    faults.note(own, below: path + [name])
    return value
  }

  func members(_ name: String, known: [String]) -> Members? {
    object(name).map { Members($0, at: path + [name], known: known, faults) }
  }
}
