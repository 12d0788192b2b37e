/// The change from one revision's rows of a list to another's, by the rules of a table view's batch updates.
public struct Delta: Sendable, Hashable {
  public var listID: Rowhouse.List.ID
  public var content: Content

  public enum Content: Sendable, Hashable {
    case changes(Changes)
    /// Too much has changed: read the rows again.
    case resync
  }

  /// Deletes, reloads and `from` are indices before; inserts, `to` and `reloadsAfter` are indices
  /// after. The pinned last row does not count.
  public struct Changes: Codable, Sendable, Hashable {
    public var fromRevision: Int
    public var toRevision: Int
    /// The list's own changed fields.
    public var list: ChangedFields?
    public var countBefore: Int
    public var countAfter: Int
    public var deletes: [Int]
    public var inserts: [PlacedRow]
    public var moves: [Move]
    public var reloads: [Int]
    /// The new content of reloaded rows, and of rows that moved and changed.
    public var reloadsAfter: [PlacedRow]
  }

  public struct Move: Codable, Sendable, Hashable {
    public var from: Int
    public var to: Int
  }

  /// A row with its index after the change.
  public struct PlacedRow: Codable, Sendable, Hashable {
    public var index: Int
    public var row: Row
  }

  /// The changed fields of a list; nil for unchanged ones.
  public struct ChangedFields: Codable, Sendable, Hashable {
    public var title: String?
    public var itemKind: Rowhouse.List.AcceptedKind?
    public var permissions: Permissions?
    public var can: Permissions?
    public var sentinel: Sentinel?
    public var deleteLabel: String?
    public var parentID: Rowhouse.List.ID?
    /// `.some(nil)` if it has been removed.
    public var glyph: String??
    /// `.some(nil)` if it has been removed.
    public var colour: Rowhouse.List.Colour??

    private enum CodingKeys: String, CodingKey {
      case title, itemKind, permissions, can, sentinel, deleteLabel, glyph, colour
      case parentID = "parentId"
    }
  }
}

extension Delta.ChangedFields {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    title = try container.decodeIfPresent(String.self, forKey: .title)
    itemKind = try container.decodeIfPresent(
      Rowhouse.List.AcceptedKind.self, forKey: .itemKind)
    permissions = try container.decodeIfPresent(Permissions.self, forKey: .permissions)
    can = try container.decodeIfPresent(Permissions.self, forKey: .can)
    sentinel = try container.decodeIfPresent(Sentinel.self, forKey: .sentinel)
    deleteLabel = try container.decodeIfPresent(String.self, forKey: .deleteLabel)
    parentID = try container.decodeIfPresent(Rowhouse.List.ID.self, forKey: .parentID)
    // Null says that it has been removed.
    if container.contains(.glyph) {
      glyph = .some(try container.decodeIfPresent(String.self, forKey: .glyph))
    }
    if container.contains(.colour) {
      colour = .some(try container.decodeIfPresent(Rowhouse.List.Colour.self, forKey: .colour))
    }
  }
}

extension Delta: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    listID = try container.decode(Rowhouse.List.ID.self, forKey: .listID)
    let isResync = try container.decodeIfPresent(Bool.self, forKey: .resync) ?? false
    content = isResync ? .resync : .changes(try Changes(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(listID, forKey: .listID)
    switch content {
    case .resync: try container.encode(true, forKey: .resync)
    case .changes(let changes): try changes.encode(to: encoder)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case resync
    case listID = "listId"
  }
}

extension Delta.Changes {
  /// Applies the changes to `rows`, which are those at `fromRevision` without the pinned last one.
  ///
  /// - Returns: False if `rows` cannot be those at `fromRevision`. Then they stay unchanged.
  public func apply(to rows: inout [Row]) -> Bool {
    var known: [Row?] = rows
    guard apply(to: &known) else { return false }
    rows = known.compactMap(\.self)
    return true
  }

  /// Applies the changes to rows of which some are unknown. Inserted and changed rows become known.
  func apply(to rows: inout [Row?]) -> Bool {
    guard apply(to: &rows, { $0 }) else { return false }
    for index in rows.indices { rows[index]?.index = index }
    return true
  }

  /// Applies the changes to an array with one element for each row, such as the row's id.
  ///
  /// - Parameter element: Makes the element for an inserted or changed row.
  func apply<Element>(to elements: inout [Element], _ element: (Row) -> Element) -> Bool {
    guard elements.count == countBefore, isApplicable else { return false }
    var placed: [Int: Element] = [:]
    for move in moves { placed[move.to] = elements[move.from] }
    for insert in inserts { placed[insert.index] = element(insert.row) }
    let taken = Set(deletes).union(moves.map(\.from))
    var staying = elements.indices.lazy.filter { !taken.contains($0) }.makeIterator()
    var after: [Element] = []
    after.reserveCapacity(countAfter)
    for index in 0..<countAfter {
      if let placed = placed[index] {
        after.append(placed)
      } else if let before = staying.next() {
        after.append(elements[before])
      } else {
        return false
      }
    }
    guard staying.next() == nil else { return false }
    for reload in reloadsAfter { after[reload.index] = element(reload.row) }
    elements = after
    return true
  }

  private var isApplicable: Bool {
    let before = 0..<countBefore
    let after = 0..<countAfter
    return countBefore - deletes.count + inserts.count == countAfter
      && deletes.allSatisfy(before.contains) && inserts.allSatisfy { after.contains($0.index) }
      && moves.allSatisfy { before.contains($0.from) && after.contains($0.to) }
      && reloads.allSatisfy(before.contains) && reloadsAfter.allSatisfy { after.contains($0.index) }
  }
}
