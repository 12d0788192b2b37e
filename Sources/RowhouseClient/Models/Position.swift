/// A position in a list at which to put a row.
public enum Position: Sendable, Hashable {
  case first
  case last
  /// Within the same list, it counts after the row's removal.
  case index(Int)
  case before(Row.ID)
  case after(Row.ID)
  /// The first position if the list has its row, otherwise the second.
  indirect case either(Position, else: Position)

  /// This position, with an alternative for a list that does not have its row. The server takes at most
  /// 8 positions, this one included.
  public func or(_ other: Position) -> Position {
    guard case .either(let preferred, let rest) = self else { return .either(self, else: other) }
    return .either(preferred, else: rest.or(other))
  }
}

extension Position: Codable {
  private enum CodingKeys: String, CodingKey {
    case index, before, after
    case other = "else"
  }

  public init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard ["first", "last"].contains(text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "No position: \(text)"))
      }
      self = text == "first" ? .first : .last
      return
    }
    if let index = try container.decodeIfPresent(Int.self, forKey: .index) {
      self = .index(index)
      return
    }
    let position: Position =
      if let row = try container.decodeIfPresent(Row.ID.self, forKey: .before) {
        .before(row)
      } else {
        .after(try container.decode(Row.ID.self, forKey: .after))
      }
    let other = try container.decodeIfPresent(Position.self, forKey: .other)
    self = other.map { .either(position, else: $0) } ?? position
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .first: try "first".encode(to: encoder)
    case .last: try "last".encode(to: encoder)
    case .index(let index): try ["index": index].encode(to: encoder)
    case .before(let row): try ["before": row].encode(to: encoder)
    case .after(let row): try ["after": row].encode(to: encoder)
    case .either(.either(let position, let middle), let other):
      try Position.either(position, else: middle.or(other)).encode(to: encoder)
    case .either(let position, let other):
      try position.encode(to: encoder)
      switch position {
      case .before, .after:
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(other, forKey: .other)
      // These need no row, so they always count.
      case .first, .last, .index, .either: break
      }
    }
  }
}
