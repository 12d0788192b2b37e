/// An object's members in their written order, with unique keys. A look-up takes constant time.
package struct JSONObject: Sendable {
  package private(set) var members: [(key: String, value: JSONValue)] = []
  // Empty up to the threshold: there, a linear search is faster than hashing.
  private var places: [ExactKey: Int] = [:]
  private static let threshold = 16

  package init() {}

  /// Keeps the last value of a repeated key, at the place of the first.
  package init(_ members: [(key: String, value: JSONValue)]) {
    for member in members { set(member.key, to: member.value) }
  }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a key. Setting nil removes the member; `.null` is a JSON null.
  package subscript(key: String) -> JSONValue? {
    get { place(of: key).map { members[$0].value } }
    set {
      if let newValue { set(key, to: newValue) } else { remove(key) }
    }
  }

  package func contains(_ key: String) -> Bool { place(of: key) != nil }

  /// Replaces the value of an existing key, or appends a member.
  package mutating func set(_ key: String, to value: JSONValue) {
    if let place = place(of: key) {
      members[place].value = value
    } else {
      append(newKey: key, value)
    }
  }

  /// Removes a member in O(`count`) time and returns its value.
  @discardableResult
  package mutating func remove(_ key: String) -> JSONValue? {
    guard let place = place(of: key) else { return nil }
    let removed = members.remove(at: place).value
    places.removeAll(keepingCapacity: true)
    if members.count > Self.threshold { fillPlaces() }
    return removed
  }

  /// Appends a member. The key must be new.
  mutating func append(newKey key: String, _ value: JSONValue) {
    members.append((key, value))
    if members.count > Self.threshold {
      if places.isEmpty { fillPlaces() } else { places[ExactKey(text: key)] = members.count - 1 }
    }
  }

  private mutating func fillPlaces() {
    for (place, member) in members.enumerated() { places[ExactKey(text: member.key)] = place }
  }

  private func place(of key: String) -> Int? {
    if !places.isEmpty { return places[ExactKey(text: key)] }
    return members.firstIndex { $0.key.isExactly(key) }
  }
}

extension JSONObject: Equatable {
  /// Compares members regardless of their order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }
}

/// A hash key that compares strings by code points.
private struct ExactKey: Hashable {
  let text: String

  static func == (left: ExactKey, right: ExactKey) -> Bool { left.text.isExactly(right.text) }

  func hash(into hasher: inout Hasher) {
    let hashed: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if hashed == nil {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }
}
