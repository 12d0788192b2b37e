import Foundation

/// The lists that an app keeps, and the items that it has read in full.
///
/// A store has two trees. The *base* is the server's state at one revision. The *view* is the base with the queued
/// commands applied.
///
/// - A list is *kept* if the tree has its rows (`nodes`). An app can open it without the server.
/// - A list or an item is *in sight* if the token can see it on the server: it is not deleted, and it is the token's
///   list or below it.
/// - A base is *uncertain* while it may have lists that are no longer in sight. The store then reads all kept lists
///   again.
struct OfflineTree: Sendable {
  /// A kept list.
  struct Node: Sendable {
    /// Its count and total follow `order`.
    var list: Rowhouse.List
    /// Its rows, without the pinned last one.
    var order: [RowKey]
  }

  /// The list that the token sees as its root; nil while unknown.
  var root: RowKey?
  var nodes: [RowKey: Node] = [:]
  /// The list of each row in `nodes`.
  var holders: [RowKey: RowKey] = [:]
  /// What rows show. Their indices and permissions are set when they are shown. May lack rows of lists that were not
  /// opened, and have rows that have left their lists.
  var rows: [RowKey: Row] = [:]
  var items: [RowKey: Item] = [:]
  /// What the queue has deleted, by the deleted row.
  var trash: [RowKey: Removal] = [:]

  /// A deleted row with everything below it, and its former place.
  struct Removal: Sendable {
    var list: RowKey
    var index: Int
    var previous: RowKey?
    var next: RowKey?
    var nodes: [RowKey: Node] = [:]
    var holders: [RowKey: RowKey] = [:]
    var items: [RowKey: Item] = [:]
  }

  func key(of list: Rowhouse.List.ID) -> RowKey {
    list == .root ? root ?? RowKey(list) : RowKey(list)
  }

  /// Whether the tree shows that a row is in sight: it is in a kept list, or is a kept list.
  func isInSight(_ key: RowKey) -> Bool { holders[key] != nil || nodes[key] != nil }

  /// The list above a list or a row, or the item whose contents it is.
  func parent(of key: RowKey) -> RowKey? {
    if let holder = holders[key] { return holder }
    guard let list = nodes[key]?.list else { return nil }
    return list.parentID.map { RowKey($0) } ?? list.itemID.map { RowKey($0) }
  }

  /// The rows of a list as a table shows them, with the pinned last one.
  func shownRows(of key: RowKey) -> [Row]? {
    guard let node = nodes[key] else { return nil }
    var shown: [Row] = []
    shown.reserveCapacity(node.order.count + 1)
    for key in node.order {
      guard var row = rows[key] else { continue }
      row.index = shown.count
      (row.canMove, row.canEdit) = (node.list.can.move, node.list.can.edit)
      row.canDelete = node.list.can.delete
      if case .list = row.content, let list = nodes[key]?.list {
        row.title = list.title
        row.content = .list(ListSummary(list))
      }
      shown.append(row)
    }
    if let sentinel = node.list.sentinelRow { shown.append(sentinel) }
    return shown
  }
}

extension OfflineTree {
  /// Inserts rows that are in no list.
  mutating func insert(_ keys: [RowKey], into list: RowKey, at index: Int) {
    nodes[list]?.order.insert(contentsOf: keys, at: index)
    for key in keys {
      holders[key] = list
      setList(of: key, to: list)
    }
    count(keys, in: list, by: 1)
  }

  /// Removes a row from its list. What it shows stays in `rows`.
  mutating func remove(_ key: RowKey) {
    guard let list = holders.removeValue(forKey: key),
      let index = nodes[list]?.order.firstIndex(of: key)
    else { return }
    nodes[list]?.order.remove(at: index)
    count([key], in: list, by: -1)
  }

  /// Adds rows to the count and the total of a list, or with the sign -1 subtracts them. If the list is not kept,
  /// updates the summary in its row.
  mutating func count(_ keys: [RowKey], in list: RowKey, by sign: Int) {
    let amount = amount(of: keys) * Decimal(sign)
    if let count = nodes[list]?.order.count {
      nodes[list]?.list.rowCount = count
      if !amount.isZero { nodes[list]?.list.totalValueInDollars += amount }
    } else if holders[list] != nil, case .list(var summary)? = rows[list]?.content {
      summary.rowCount += keys.count * sign
      summary.totalValueInDollars += amount
      rows[list]?.content = .list(summary)
    }
  }

  /// Changes a row. Its list's total follows.
  mutating func change(_ key: RowKey, _ body: (inout Row) -> Void) {
    guard var row = rows[key] else { return }
    let amount = row.amount
    body(&row)
    rows[key] = row
    guard row.amount != amount, let list = holders[key] else { return }
    nodes[list]?.list.totalValueInDollars += row.amount - amount
  }

  /// Sets the list that a list or an item says it is in.
  private mutating func setList(of key: RowKey, to list: RowKey) {
    let id = nodes[list]?.list.id ?? Rowhouse.List.ID(rawValue: list.text)
    items[key]?.listID = id
    nodes[key]?.list.parentID = id
  }

  /// Removes rows that move into a list that is not kept.
  mutating func moveAway(_ keys: [RowKey], into list: RowKey) {
    for key in keys {
      remove(key)
      setList(of: key, to: list)
    }
    count(keys, in: list, by: 1)
  }
}

extension Row {
  /// What it adds to its list's total.
  var amount: Decimal {
    guard case .item(let item) = content, let value = item.valueInDollars else { return 0 }
    return item.quantity == 1 ? value : value * Decimal(item.quantity)
  }

  init(_ item: ItemSummary) {
    self.init(
      id: ID(item.id), index: 0, title: item.rowTitle, detail: item.serialNumber, canMove: false,
      canEdit: false, canDelete: false, content: .item(item))
  }

  init(_ list: ListSummary) {
    self.init(
      id: ID(list.id), index: 0, title: list.title, detail: nil, canMove: false, canEdit: false,
      canDelete: false, content: .list(list))
  }
}

extension Rowhouse.List {
  /// The pinned last row; nil if it is hidden.
  var sentinelRow: Row? {
    guard sentinel.visible else { return nil }
    return Row(
      id: .sentinel, index: rowCount, title: sentinel.text, detail: nil, canMove: false,
      canEdit: false, canDelete: false, content: .sentinel)
  }
}

extension ListSummary {
  init(_ list: Rowhouse.List) {
    self.init(
      id: list.id, title: list.title, rowCount: list.rowCount,
      totalValueInDollars: list.totalValueInDollars, glyph: list.glyph, colour: list.colour)
  }
}
