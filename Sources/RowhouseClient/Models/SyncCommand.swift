import Foundation

/// A client that works offline. The server counts the commands of each client by its id.
public enum SyncClient {
  public typealias ID = Identifier<SyncClient>
}

/// What a person did offline, to be done by ``Rowhouse/sync(_:as:)``. Rows are named by their ids, so it means the same
/// once others have changed the lists.
///
/// Keep commands on disk, in order, until their outcomes are known.
public struct SyncCommand: Sendable, Hashable {
  /// The most commands of one call.
  public static let maximumCount = 200

  /// 1 for the client's first command, and one more for each further one.
  public var sequence: Int
  public var intent: Intent

  public init(_ sequence: Int, _ intent: Intent) {
    self.sequence = sequence
    self.intent = intent
  }

  /// What a command does. A position must not be ``Position/index(_:)``.
  public enum Intent: Sendable, Hashable {
    /// The members of a list, with the `id` that the client has chosen.
    case createList([String: JSONValue], in: Rowhouse.List.ID, at: Position)
    /// The members of an item, with the `id` that the client has chosen.
    case createItem([String: JSONValue], in: Rowhouse.List.ID, at: Position)
    /// `from` has the values that the edit started from: of the members in `patch`, and of others of which you want to
    /// know whether somebody else has changed them.
    case editList(Rowhouse.List.ID, patch: [String: JSONValue], from: [String: JSONValue])
    /// The same for an item.
    case editItem(Item.ID, patch: [String: JSONValue], from: [String: JSONValue])
    /// At most 100 rows, from any lists.
    case moveRows([Row.ID], into: Rowhouse.List.ID, at: Position)
    case delete(Row.ID, recursive: Bool)
    /// Nil: the row's former list, or the place next to its former neighbours.
    case restore(Row.ID, into: Rowhouse.List.ID?, at: Position?)
  }
}

extension SyncCommand.Intent {
  /// Creates a list from a draft. If the draft has no id, it gets a new one.
  public static func create(_ draft: ListDraft) throws(RowhouseError) -> Self {
    var draft = draft
    draft.id = draft.id ?? .init(rawValue: UUID().uuidString)
    let (parent, position) = (draft.parentID, draft.position)
    (draft.parentID, draft.position) = (nil, nil)
    return .createList(try members(of: draft), in: parent ?? .root, at: position ?? .last)
  }

  /// Creates an item from a draft. If the draft has no id, it gets a new one.
  public static func create(
    _ draft: ItemDraft, in list: Rowhouse.List.ID = .root
  ) throws(RowhouseError) -> Self {
    var draft = draft
    draft.id = draft.id ?? .init(rawValue: UUID().uuidString)
    let position = draft.position
    draft.position = nil
    return .createItem(try members(of: draft), in: list, at: position ?? .last)
  }

  /// Edits an item, as the person saw it before.
  public static func edit(_ item: Item, _ edit: ItemEdit) throws(RowhouseError) -> Self {
    var started = try members(of: item)
    // Unset fields are not encoded. With them, the outcome also tells which ones others have set.
    for name in ["name", "serialNumber", "valueInDollars", "notes", "car"] {
      started[name] = started[name] ?? .null
    }
    return .editItem(item.id, patch: try members(of: edit), from: started)
  }

  /// Edits a list, as the person saw it before.
  public static func edit(
    _ list: Rowhouse.List, _ edit: ListEdit
  ) throws(RowhouseError) -> Self {
    .editList(list.id, patch: try members(of: edit), from: try members(of: list))
  }

  static func members(
    of value: some Encodable
  ) throws(RowhouseError) -> [String: JSONValue] {
    do {
      return try JSONCoding.decoder.decode(
        [String: JSONValue].self, from: JSONCoding.encoder.encode(value))
    } catch { throw .unreadable(status: 0, body: Data(), underlying: error) }
  }
}

extension SyncCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case sequence, type, list, item, id, ids, position, patch, from, recursive
    case listID = "listId"
  }

  private enum Kind: String, Codable {
    case createList, createItem, editList, editItem, moveRows, delete, restore
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    let position = try container.decodeIfPresent(Position.self, forKey: .position)
    sequence = try value(.sequence)
    intent =
      switch try value(.type) as Kind {
      case .createList:
        .createList(try value(.list), in: try value(.listID), at: position ?? .last)
      case .createItem:
        .createItem(try value(.item), in: try value(.listID), at: position ?? .last)
      case .editList:
        .editList(try value(.id), patch: try value(.patch), from: try value(.from))
      case .editItem:
        .editItem(try value(.id), patch: try value(.patch), from: try value(.from))
      case .moveRows:
        .moveRows(try value(.ids), into: try value(.listID), at: position ?? .last)
      case .delete:
        .delete(
          try value(.id),
          recursive: try container.decodeIfPresent(Bool.self, forKey: .recursive) ?? false)
      case .restore:
        .restore(
          try value(.id),
          into: try container.decodeIfPresent(Rowhouse.List.ID.self, forKey: .listID),
          at: position)
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sequence, forKey: .sequence)
    func encode(
      _ kind: Kind, _ list: Rowhouse.List.ID? = nil, _ position: Position? = nil
    ) throws {
      try container.encode(kind, forKey: .type)
      try container.encodeIfPresent(list, forKey: .listID)
      try container.encodeIfPresent(position, forKey: .position)
    }
    switch intent {
    case .createList(let members, let parent, let position):
      try encode(.createList, parent, position)
      try container.encode(members, forKey: .list)
    case .createItem(let members, let list, let position):
      try encode(.createItem, list, position)
      try container.encode(members, forKey: .item)
    case .editList(let id, let patch, let started):
      try encode(.editList)
      try container.encode(id, forKey: .id)
      try container.encode(patch, forKey: .patch)
      try container.encode(started, forKey: .from)
    case .editItem(let id, let patch, let started):
      try encode(.editItem)
      try container.encode(id, forKey: .id)
      try container.encode(patch, forKey: .patch)
      try container.encode(started, forKey: .from)
    case .moveRows(let rows, let list, let position):
      try encode(.moveRows, list, position)
      try container.encode(rows, forKey: .ids)
    case .delete(let row, let recursive):
      try encode(.delete)
      try container.encode(row, forKey: .id)
      try container.encode(recursive, forKey: .recursive)
    case .restore(let row, let list, let position):
      try encode(.restore, list, position)
      try container.encode(row, forKey: .id)
    }
  }
}
