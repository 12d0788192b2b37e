import Inventory
import SQL

/// Reads views of a list's rows. It visits all rows, and reads those of the page in full.
struct ViewReader {
  let db: Connection
  let access: Access

  func page(of record: ListRecord, _ view: RowView) throws(StorageError) -> PageOfRows {
    /// The rows of the view, with their indices in the list.
    var members: [(key: RowKey, index: Int)] = []
    var sorted: [SortValue] = []
    var worth: [SortValue] = []
    var text = 0
    try look(at: record, view) { (row, index) throws(StorageError) in
      members.append((row.key(9), index))
      if view.threshold != nil { worth.append(SortValue(row, by: .valueInDollars)) }
      guard let sort = view.sort else { return }
      guard members.count <= Limits.rowsReordered else {
        throw .refused(.tooManyRows(limit: Limits.rowsReordered))
      }
      sorted.append(SortValue(row, by: sort.key))
      text += sorted[sorted.count - 1].textSize
      guard text <= Limits.textSorted else { throw .refused(.tooMuchAtOnce(.textSorted)) }
    }
    let order = view.order(of: members.count, sorted: sorted, worth: worth)
    let first: Int
    switch view.window.start {
    case .offset(let offset): first = min(offset, members.count)
    case .after(let anchor):
      guard let entry = try access.find(anchor),
        let place = order.places.firstIndex(where: { members[$0].key == entry.key })
      else { throw .refused(.anchorGone(anchor)) }
      first = place + 1
    }
    var page = PageOfRows(
      list: try record.list(isRoot: record.key == access.root, in: db), matched: members.count,
      firstSection: order.firstSection, first: first, rows: [])
    for place in order.places.dropFirst(first).prefix(view.window.limit) {
      let member = members[place]
      page.rows.append(
        Row(
          index: RowIndex(member.index), content: try RowReader(db: db).content(of: member.key)))
    }
    return page
  }

  /// Calls the body with each row of the view, in the list's order, and its index. The row has the columns of
  /// `SortValue.init(_:by:)` and the key.
  private func look(
    at record: ListRecord, _ view: RowView,
    _ body: (Statement, Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    let text = view.text.map(TextFolding.fold)
    var index = 0
    try record.tree.eachRow(
      SortValue.columns,
      own: """
        , row.key, name, tags, contents FROM row LEFT JOIN list ON list.key = row.key
        WHERE parent = ?1 AND leaf = ?2 ORDER BY pos
        """,
      arranged: """
        , row.key, name, tags, contents FROM placed JOIN row ON row.key = placed.row
        LEFT JOIN list ON list.key = row.key ORDER BY placed.pos
        """,
      in: db
    ) { (row) throws(StorageError) in
      let isMember = view.members.includes(
        isList: row.isList(0), hasContents: !row.isNull(12))
      if isMember, text.map({ row.shows($0) }) ?? true {
        try body(row, index)
      }
      index += 1
    }
  }
}

extension Statement {
  /// Whether the title, the serial number, the name or the tags contain the folded text.
  fileprivate func shows(_ folded: [UInt8]) -> Bool {
    [1, 2, 10].contains { TextFolding.contains(string($0), folded) }
      || string(11).split(separator: "\n").contains {
        TextFolding.contains(String($0), folded)
      }
  }
}

extension SortValue {
  static let columns: StaticString = """
    SELECT kind, title, serial_number, value, quantity, created_at,
      coalesce(row.updated_at, list.updated_at), total_high, total_low
    """

  /// Reads the columns of `columns`.
  init(_ row: Statement, by key: SortOrder.Key) {
    let isList = row.isList(0)
    func number(_ value: Int64?) -> SortValue { value.map { .number(Int128($0)) } ?? .missing }
    self =
      switch key {
      case .title: .text(NaturalText(row.string(1)))
      case .serialNumber: row.stringOrNil(2).map { .text(NaturalText($0)) } ?? .missing
      case .valueInDollars where isList, .totalValueInDollars where isList:
        .number(TotalCents(high: row.int64(7), low: row.int64(8)).amount)
      case .valueInDollars: number(row.int64OrNil(3))
      case .totalValueInDollars:
        row.int64OrNil(3).map { .number(Int128($0) * Int128(row.int64(4))) } ?? .missing
      case .quantity: number(row.int64OrNil(4))
      case .createdAt: number(row.int64(5))
      case .updatedAt: number(row.int64(6))
      }
  }
}
