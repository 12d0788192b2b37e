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
    case .first:
      var container = encoder.singleValueContainer()
      try container.encode("first")
    case .last:
      var container = encoder.singleValueContainer()
      try container.encode("last")
    case .index(let index):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(index, forKey: .index)
    case .before(let row):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(row, forKey: .before)
    case .after(let row):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(row, forKey: .after)
    }
  }

  private enum CodingKeys: String, CodingKey { case index, before, after }
}
