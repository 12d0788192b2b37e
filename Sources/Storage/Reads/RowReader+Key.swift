import Inventory
import SQLite

extension RowReader {
  /// What one row shows.
  func content(of key: Int64) throws(StorageError) -> Row.Content {
    let content = try db.sql(
      """
      SELECT kind, id, title, name, serial_number, value, quantity, tags, make, model, year, fuel,
        (SELECT id FROM row AS inner WHERE inner.key = row.contents),
        row_count, total_high, total_low, photo
      FROM row LEFT JOIN list ON list.key = row.key WHERE row.key = ?1
      """
    ).bind(key).one { row -> Row.Content in
      guard row.int64(0) == 0 else {
        return .item(
          ItemSummary(
            row, contents: row.isNull(12) ? nil : ListID(row.uuid(12)), photo: row.photoOrNil(16)))
      }
      return .list(
        ListSummary(
          id: ListID(row.uuid(1)), title: row.string(2), rowCount: row.int(13),
          total: TotalCents(high: row.int64(14), low: row.int64(15))))
    }
    guard let content else { throw .broken("row \(key) is gone") }
    return content
  }
}
