import FoundationEssentials
import Inventory
import JSON

/// Reads the members of one JSON object of a body and adds errors to `faults`.
struct Members {
  private let object: JSONObject
  /// The object's place in the body.
  let path: [String]
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

  /// The member's value as `read` converts it. Notes `expected` if `read` returns nil.
  ///
  /// - Parameter missing: the error if the member is absent or null. Nil if the member is optional.
  func value<Value>(
    _ name: String, _ expected: @autoclosure () -> String, missing: String? = nil,
    _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let given = self[name] else {
      if let missing { note(name, missing) }
      return nil
    }
    let value = read(given)
    if value == nil { note(name, expected()) }
    return value
  }

  func text(_ name: String, missing: String? = nil) -> String? {
    value(name, "Send a string or null.", missing: missing, \.text)
  }

  func flag(_ name: String, default standard: Bool) -> Bool {
    value(name, "Send true or false.", \.flag) ?? standard
  }

  func whole(_ name: String, missing: String? = nil) -> Int64? {
    value(name, "Enter a whole number.", missing: missing, \.int64)
  }

  /// A required index: a whole number, 0 or more.
  func index(_ name: String) -> Int? {
    value(
      name, "An index is a whole number from 0.", missing: "Send an index, counted from 0."
    ) { value in value.int64.flatMap { $0 >= 0 ? Int($0) : nil } }
  }

  /// A number with at most two decimals, in hundredths.
  func hundredths(_ name: String) -> Int64? {
    guard let value = self[name] else { return nil }
    guard case .number(let number) = value else {
      note(name, "Enter a number, such as 12.50.")
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
    value(name, "Send a time, such as 2026-11-20T08:30:00Z.") { value in
      value.text.flatMap { Timestamp(rfc3339: $0) }
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, missing: String? = nil
  ) -> Choice? {
    value(
      name, "One of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).",
      missing: missing
    ) { $0.text.flatMap(Choice.init) }
  }

  func identifier<ID: Identifier>(
    _ name: String, as: ID.Type = ID.self, missing: String? = nil
  ) -> ID? {
    value(name, "Send an id: a UUID of 36 characters.", missing: missing) { value in
      value.text.flatMap { ID(text: $0) }
    }
  }

  /// A list's id or `root`.
  func list(_ name: String) -> ListReference? {
    value(name, "Send a list's id, or \"root\".") { value in
      value == "root" ? .root : value.text.flatMap { ListID(text: $0) }.map(ListReference.id)
    }
  }

  /// An array element with its index in the request.
  typealias Numbered<Element> = (index: Int, element: Element)

  /// The elements of an array as `element` converts them. Where it returns nil, the element is left out with the
  /// error "Send `expected`."
  func array<Element>(
    _ name: String, of expected: String, missing: String? = nil, _ element: (JSONValue) -> Element?
  ) -> [Numbered<Element>]? {
    let values = value(
      name, "Send an array. Each element is \(expected).", missing: missing, \.elements)
    guard let values else { return nil }
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
  func rows(_ name: String, missing: String? = nil) -> [Numbered<RowID>]? {
    array(name, of: "an id", missing: missing) { value in value.text.flatMap { RowID(text: $0) } }
  }

  func object(_ name: String, missing: String? = nil) -> JSONObject? {
    value(name, "Send an object or null.", missing: missing, \.object)
  }

  func members(
    _ name: String, known: [String], readOnly: [String] = [], missing: String? = nil
  ) -> Members? {
    object(name, missing: missing).map {
      Members($0, at: path + [name], known: known, readOnly: readOnly, faults)
    }
  }

  /// The objects of an array, each converted by `read`. Nil if absent, null or not an array.
  func objects<Element>(
    _ name: String, known: [String], readOnly: [String] = [], missing: String? = nil,
    _ read: (Members) -> Element?
  ) -> [Element]? {
    array(name, of: "an object", missing: missing, \.object)?.compactMap { index, object in
      let path = path + [name, String(index)]
      return read(Members(object, at: path, known: known, readOnly: readOnly, faults))
    }
  }

  /// Reads an object with its own `FieldErrors`, and adds them below the member's name.
  func separately<Value>(_ name: String, _ read: (JSONObject, FieldErrors) -> Value) -> Value? {
    guard let object = object(name) else { return nil }
    let own = FieldErrors()
    let value = read(object, own)
    faults.note(own, below: path + [name])
    return value
  }
}
