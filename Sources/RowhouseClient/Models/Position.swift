/// A position in a list at which to put a row.
public enum Position: Sendable, Hashable {
  case first
  case last
  /// Within the same list, it counts after the row's removal.
  case index(Int)
  case before(Row.ID)
  case after(Row.ID)
}

extension Position: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .first: try "first".encode(to: encoder)
    case .last: try "last".encode(to: encoder)
    case .index(let index): try ["index": index].encode(to: encoder)
    case .before(let row): try ["before": row].encode(to: encoder)
    case .after(let row): try ["after": row].encode(to: encoder)
    }
  }
}
