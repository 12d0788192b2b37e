import Inventory

/// The new rows of a bulk command.
///
/// `tree` has all of them below one new list. They are staged in that form. Each of the `groups` has the rows that are
/// then moved to one existing list, or the new contents list of one existing item.
struct NewRows {
  /// In their original order.
  private(set) var records: [NumberedRecord] = []
  private var staged: [NumberedRecord] = []
  private(set) var groups: [BulkChange.Group] = []
  /// The bytes of text in new items of existing lists.
  private(set) var text = 0
  private var groupOf: [RowID: Int] = [:]
  private let target: ListRecord
  private let top = ListID(.version7())

  /// Where a new row is: its group, its index among the group's rows (nil if it is not one of them), and its level in
  /// the group.
  private struct Node {
    var group: Int
    var place: Int?
    var level: Int
  }
  private var nodes: [RowID: Node] = [:]

  init(into target: ListRecord) { self.target = target }

  /// - Parameter isHolderKnown: whether the holder exists; otherwise it has been added before.
  mutating func add(_ numbered: NumberedRecord, in holder: RowID, isHolderKnown: Bool) {
    records.append(numbered)
    if isHolderKnown { addFirst(numbered, in: holder) } else { addBelow(numbered, in: holder) }
  }

  /// The tree's records, its top first.
  var tree: [NumberedRecord] {
    guard !groups.isEmpty else { return [] }
    let heads = groups.filter { !$0.isContents }.map { group in
      Self.list(group.list, in: .list(top), target, line: group.line)
    }
    return [Self.list(top, in: .nothing, target, line: groups[0].line)] + heads + staged
  }

  private mutating func addFirst(_ numbered: NumberedRecord, in holder: RowID) {
    let (line, id) = (numbered.line, numbered.record.id)
    if case .list(var list) = numbered.record, case .item = list.holder {
      nodes[id] = Node(group: groups.count, place: nil, level: 1)
      groups.append(
        BulkChange.Group(holder: holder, line: line, list: list.id, isContents: true, levels: 1))
      list.holder = .list(top)
      staged.append(NumberedRecord(line: line, record: .list(list)))
      return
    }
    let number = groupOf[holder] ?? groups.count
    if number == groups.count {
      groupOf[holder] = number
      groups.append(
        BulkChange.Group(
          holder: holder, line: line, list: ListID(.version7()), isContents: false))
    }
    nodes[id] = Node(group: number, place: groups[number].rows.count, level: 1)
    let home = groups[number].list
    switch numbered.record {
    case .list(var list):
      list.holder = .list(home)
      staged.append(NumberedRecord(line: line, record: .list(list)))
      groups[number].levels = max(groups[number].levels, 1)
      let summary = ListSummary(list.id, list.details, rowCount: 0, total: .zero)
      groups[number].rows.append(BulkChange.NewRow(id: id, content: .list(summary)))
    case .item(var item):
      item.list = home
      text += item.details.textSize
      staged.append(NumberedRecord(line: line, record: .item(item)))
      groups[number].kinds.insert(item.details.kind)
      groups[number].rows.append(
        BulkChange.NewRow(id: id, content: .item(ItemSummary(item.id, item.details))))
    case .photo: break
    }
  }

  private mutating func addBelow(_ numbered: NumberedRecord, in holder: RowID) {
    staged.append(numbered)
    guard let above = nodes[holder] else { return }
    let level = above.level + 1
    switch numbered.record {
    case .list(let list):
      groups[above.group].levels = max(groups[above.group].levels, level)
      nodes[numbered.record.id] = Node(group: above.group, place: nil, level: level)
      if case .item = list.holder { forget(above) } else { count(.zero, in: above) }
    case .item(let item):
      nodes[numbered.record.id] = Node(group: above.group, place: nil, level: level)
      count(item.details.total, in: above)
    case .photo: forget(above)
    }
  }

  /// Counts one more row in a new list, if the receipt shows that list's row.
  private mutating func count(_ total: TotalCents, in above: Node) {
    guard let place = above.place,
      case .list(var summary)? = groups[above.group].rows[place].content
    else { return }
    summary.rowCount += 1
    summary.total += total
    groups[above.group].rows[place].content = .list(summary)
  }

  /// Marks an item's row to be read later, because the item has got contents or photos.
  private mutating func forget(_ above: Node) {
    guard let place = above.place else { return }
    groups[above.group].rows[place].content = nil
  }

  private static func list(
    _ id: ListID, in holder: TransferredList.Holder, _ target: ListRecord, line: Int
  ) -> NumberedRecord {
    NumberedRecord(
      line: line,
      record: .list(
        TransferredList(
          id: id, holder: holder, details: ListDetails(title: "New rows"),
          createdAt: target.createdAt, updatedAt: target.updatedAt)))
  }
}
