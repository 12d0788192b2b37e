import Inventory
import SQL

/// Reads the content of rows.
struct RowReader {
  let db: Connection

  /// Calls the body with the rows from `start` on, at most `limit` of them, until it returns false.
  func rows(
    of tree: OrderTree, from start: Int, limit: Int, _ body: (BorrowedRow) -> Bool
  ) throws(StorageError) {
    guard limit > 0, start < tree.count else { return }
    let descent = try tree.descend(to: start, prefersLeft: false, in: db)
    var steps = descent.steps
    var leaf = descent.leaf
    var offset = descent.offset
    var index = start
    let end = start + min(limit, tree.count - start)
    var goesOn = true
    while true {
      let before = index
      try leafRows(of: tree, leaf: leaf, offset: offset, limit: end - index) {
        (id, title, content) in
        goesOn = body(
          BorrowedRow(index: RowIndex(index), id: id, title: title, content: content))
        index += 1
        return goesOn
      }
      guard goesOn, index < end else { return }
      guard index > before, let next = try tree.nextLeaf(after: steps, in: db),
        let last = next.last
      else { throw .broken("list \(tree.list): its rows end at \(index) of \(tree.count)") }
      steps = next
      leaf = last.id
      offset = 0
    }
  }

  func row(at index: Int, of tree: OrderTree) throws(StorageError) -> Row {
    var found: Row?
    try rows(of: tree, from: index, limit: 1) {
      found = Row($0)
      return true
    }
    guard let found else { throw .broken("list \(tree.list) has no row \(index)") }
    return found
  }

  /// The content of one row.
  func content(of key: RowKey) throws(StorageError) -> Row.Content {
    let content = try db.sql(
      ItemSummary.columns,
      """
      (SELECT id FROM row AS nested WHERE nested.key = row.contents),
      row_count, total_high, total_low, photo, glyph, colour
      FROM row LEFT JOIN list ON list.key = row.key WHERE row.key = ?1
      """
    ).bind(key).one { row -> Row.Content in
      guard row.isList(0) else {
        return .item(
          ItemSummary(
            row, contents: row.isNull(12) ? nil : ListID(row.uuid(12)), photo: row.photoOrNil(16)))
      }
      return .list(
        ListSummary(
          id: ListID(row.uuid(1)), title: row.string(2), rowCount: row.int(13),
          total: TotalCents(high: row.int64(14), low: row.int64(15)), glyph: row.stringOrNil(17),
          colour: row.stringOrNil(18).flatMap(ListColour.init)))
    }
    guard let content else { throw .broken("row \(key) is gone") }
    return content
  }

  private func leafRows(
    of tree: OrderTree, leaf: Int64, offset: Int, limit: Int,
    _ body: (RowID, BorrowedRow.Text, BorrowedRow.Content) -> Bool
  ) throws(StorageError) {
    func visit(_ row: Statement) throws(StorageError) -> Bool {
      let id = RowID(row.uuid(1))
      let title = row.text(2) ?? BorrowedRow.Text(start: nil, count: 0)
      if row.isList(0) { return body(id, title, try listContent(key: row.key(13))) }
      // Few items have contents, so their ids are looked up one by one.
      let contents = try row.keyOrNil(12).map { (key: RowKey) throws(StorageError) in
        try contentsID(key)
      }
      return body(
        id, title,
        .item(
          BorrowedRow.Item(
            row, isCar: row.itemKind(0) == .car, title: title, contents: contents,
            photo: row.photoOrNil(14))))
    }
    try tree.eachRow(
      of: leaf, ItemSummary.columns,
      own: """
        contents, key, photo
        FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos LIMIT ?3 OFFSET ?4
        """,
      arranged: """
        contents, key, photo
        FROM placed JOIN row ON row.key = placed.row ORDER BY placed.pos LIMIT ?3 OFFSET ?4
        """,
      in: db, bind: { $0.bind(limit).bind(offset) }, visit)
  }

  private func contentsID(_ key: RowKey) throws(StorageError) -> ListID {
    guard let id = try db.sql("SELECT id FROM row WHERE key = ?1").bind(key).one({ $0.uuid(0) })
    else { throw .broken("list \(key) is gone") }
    return ListID(id)
  }

  private func listContent(key: RowKey) throws(StorageError) -> BorrowedRow.Content {
    let list = try db.sql(
      "SELECT row_count, total_high, total_low, glyph, colour FROM list WHERE key = ?1"
    ).bind(key).one {
      BorrowedRow.List(
        rowCount: $0.count(0), total: TotalCents(high: $0.int64(1), low: $0.int64(2)),
        glyph: $0.stringOrNil(3), colour: $0.stringOrNil(4).flatMap(ListColour.init))
    }
    guard let list else { throw .broken("list \(key) has no record") }
    return .list(list)
  }
}
