import Inventory

extension Members {
  /// Parses `"first"`, `"last"`, `{"index": n}`, `{"before": id}` or `{"after": id}`. Nil if absent or invalid.
  func position(_ name: String = "position") -> Position? {
    let expected =
      "\"first\", \"last\", {\"index\": n}, {\"before\": id} or {\"after\": id}."
    switch self[name] {
    case nil: return nil
    case .string("first"): return .first
    case .string("last"): return .last
    case .object(let object):
      guard let members = members(name, known: ["index", "before", "after"]) else { return nil }
      guard object.count == 1 else {
        note(name, expected)
        return nil
      }
      if object.contains("index") { return members.index("index").map(Position.index) }
      for (key, position) in [("before", Position.before), ("after", Position.after)]
      where object.contains(key) {
        return members.identifier(
          key, as: RowID.self, missing: "Send an id: a UUID of 36 characters."
        ).map(position)
      }
      return nil
    default:
      note(name, expected)
      return nil
    }
  }
}
