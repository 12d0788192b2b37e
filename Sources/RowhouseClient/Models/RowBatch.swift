/// Changes of one list's rows that are made as one change, at most ``maximumCount``.
///
/// As in a table view's batch, deletions and sources of moves are indices before the batch. Insertions and targets of
/// moves are indices after it. All other rows keep their order.
public struct RowBatch: Encodable, Sendable {
  /// The most changes that a server takes in one batch.
  public static let maximumCount = 100

  public var deletes: [Subject]
  public var inserts: [Insertion]
  public var moves: [Move]
  public var updates: [Update]

  public init(
    deletes: [Subject] = [], inserts: [Insertion] = [], moves: [Move] = [], updates: [Update] = []
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }

  /// The row to change.
  public enum Subject: Sendable {
    case row(Row.ID)
    /// The row at an index. Refused if another row than the expected one is there.
    case index(Int, expecting: Row.ID? = nil)
  }

  /// A new row. The index is its position, and the draft has none.
  public enum Insertion: Sendable {
    case item(ItemDraft, at: Int)
    case list(ListDraft, at: Int)
  }

  public struct Move: Sendable {
    public var subject: Subject
    public var to: Int

    public init(_ subject: Subject, to: Int) {
      self.subject = subject
      self.to = to
    }
  }

  public enum Update: Sendable {
    case item(Item.ID, ItemEdit)
    case list(Rowhouse.List.ID, ListEdit)
  }
}

extension RowBatch.Subject: Encodable {
  public func encode(to encoder: any Encoder) throws { try encode(to: encoder, index: .index) }

  fileprivate func encode(to encoder: any Encoder, index name: CodingKeys) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .row(let row): try container.encode(row, forKey: .id)
    case .index(let index, let row):
      try container.encode(index, forKey: name)
      try container.encodeIfPresent(row, forKey: .id)
    }
  }

  fileprivate enum CodingKeys: String, CodingKey { case id, index, from }
}

extension RowBatch.Insertion: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .item(let draft, let index):
      try container.encode(index, forKey: .index)
      try container.encode(draft, forKey: .item)
    case .list(let draft, let index):
      try container.encode(index, forKey: .index)
      try container.encode(draft, forKey: .list)
    }
  }

  private enum CodingKeys: String, CodingKey { case index, item, list }
}

extension RowBatch.Move: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try subject.encode(to: encoder, index: .from)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(to, forKey: .to)
  }

  private enum CodingKeys: String, CodingKey { case to }
}

extension RowBatch.Update: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .item(let id, let edit):
      try container.encode(id, forKey: .id)
      try container.encode(edit, forKey: .patch)
    case .list(let id, let edit):
      try container.encode(id, forKey: .id)
      try container.encode(edit, forKey: .patch)
    }
  }

  private enum CodingKeys: String, CodingKey { case id, patch }
}

/// The results of a batch, in the order of its changes.
public struct RowBatchAnswer: Decodable, Sendable {
  public var results: Results
  public var receipt: Receipt

  public struct Results: Decodable, Sendable {
    /// The rows' indices before the batch.
    public var deletes: [Place]
    public var inserts: [Resource]
    public var moves: [Move]
    public var updates: [Resource]
  }

  public struct Place: Decodable, Sendable, Hashable {
    public var id: Row.ID
    public var index: Int
  }

  public struct Move: Decodable, Sendable, Hashable {
    public var id: Row.ID
    public var from: Int
    public var to: Int
  }

  /// A row's list or item as it is now, and its index.
  public struct Resource: Decodable, Sendable, Hashable {
    public var content: Content
    public var index: Int?

    public enum Content: Sendable, Hashable {
      case list(Rowhouse.List)
      case item(Item)
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      index = try container.decodeIfPresent(Int.self, forKey: .index)
      content =
        container.contains(.itemKind)
        ? .list(try Rowhouse.List(from: decoder)) : .item(try Item(from: decoder))
    }

    // Only lists have the member `itemKind`. Items have `kind`.
    private enum CodingKeys: String, CodingKey { case index, itemKind }
  }
}
