import Inventory
import JSON

extension Members {
  /// Parses `"first"`, `"last"`, `{"index": n}`, `{"before": id}` or `{"after": id}`. The last two may have a further
  /// position as `else`. Nil if absent or invalid.
  ///
  /// - Parameters:
  ///   - takesIndex: whether a position may be an index.
  ///   - alternatives: how many positions it may name, itself included.
  func position(
    _ name: String = "position", takesIndex: Bool = true, alternatives: Int = Limits.alternatives
  ) -> Position? {
    let index = takesIndex ? "{\"index\": n}, " : ""
    let expected = "\"first\", \"last\", \(index){\"before\": id} or {\"after\": id}."
    switch self[name] {
    case nil: return nil
    case .string("first"): return .first
    case .string("last"): return .last
    case .object(let object):
      let known = (takesIndex ? ["index"] : []) + ["before", "after", "else"]
      guard let members = members(name, known: known) else { return nil }
      guard object.count - (object.contains("else") ? 1 : 0) == 1 else {
        note(name, expected)
        return nil
      }
      if takesIndex, object.contains("index") {
        if members["else"] != nil { members.note("else", "Only before and after take else.") }
        return members.index("index").map(Position.index)
      }
      for (key, position) in [("before", Position.before), ("after", Position.after)]
      where object.contains(key) {
        let anchor = members.identifier(
          key, as: RowID.self, missing: "Send an id: a UUID of 36 characters."
        ).map(position)
        guard members["else"] != nil else { return anchor }
        guard alternatives > 1 else {
          members.note("else", "Send at most \(Limits.alternatives) positions, the first included.")
          return nil
        }
        let other = members.position(
          "else", takesIndex: takesIndex, alternatives: alternatives - 1)
        guard let anchor, let other else { return nil }
        return .either(anchor, else: other)
      }
      return nil
    default:
      note(name, expected)
      return nil
    }
  }
}

extension Position {
  /// Whether an alternative is an index.
  var hasIndex: Bool {
    switch self {
    case .index: true
    case .either(let preferred, let other): preferred.hasIndex || other.hasIndex
    case .first, .last, .before, .after: false
    }
  }
}

extension JSONWriter {
  /// Writes a position without alternatives.
  mutating func member(_ name: StaticString, _ position: Position?) {
    key(name)
    switch position?.preferred {
    case nil, .either: null()
    case .first: string("first")
    case .last: string("last")
    case .index(let index): object { $0.member("index", index) }
    case .before(let anchor): object { $0.member("before", anchor) }
    case .after(let anchor): object { $0.member("after", anchor) }
    }
  }
}
