import Foundation

/// The rows of lists, in columns: reading many takes no decoder. A list's glyph and colour are in the columns of an
/// item's name and serial number.
extension OfflineFile {
  static let rowTable = """
    CREATE TABLE row (
      list BLOB NOT NULL, id BLOB NOT NULL, kind INTEGER NOT NULL, title TEXT, name TEXT, serial TEXT,
      value, quantity INTEGER, tags TEXT, make TEXT, model TEXT, year INTEGER, fuel, contents TEXT,
      photo TEXT, PRIMARY KEY (list, id)
    ) WITHOUT ROWID;
    """

  private enum Kind: Int { case thing, car, list }

  func rows(of list: RowKey) throws(OfflineDatabase.Failure) -> [(RowKey, Row)] {
    var rows: [(RowKey, Row)] = []
    try database.run(
      """
      SELECT id, kind, title, name, serial, value, quantity, tags, make, model, year, fuel, contents,
        photo FROM row WHERE list = ?1
      """, [OfflineValue(list)]
    ) { columns in
      guard let key = columns.key(0), let kind = Kind(rawValue: columns.int(1)) else { return }
      var row: Row
      if kind == .list {
        row = Row(
          ListSummary(
            id: .init(rawValue: key.text), title: columns.text(2), rowCount: columns.int(6),
            totalValueInDollars: columns.decimal(5) ?? 0, glyph: columns.textOrNil(3),
            colour: columns.textOrNil(4).map(Rowhouse.List.Colour.init)))
      } else {
        row = Row(
          ItemSummary(
            id: .init(rawValue: key.text), kind: kind == .car ? .car : .thing,
            name: columns.textOrNil(3), serialNumber: columns.textOrNil(4),
            valueInDollars: columns.decimal(5), quantity: columns.int(6),
            tags: columns.textOrNil(7)?.split(separator: "\n").map(String.init) ?? [],
            car: kind == .car
              ? Car(
                make: columns.textOrNil(8), model: columns.textOrNil(9),
                year: columns.intOrNil(10), fuelAmount: columns.decimal(11)) : nil,
            contentsListID: columns.textOrNil(12).map { .init(rawValue: $0) },
            photo: columns.textOrNil(13).map { .init(rawValue: $0) }))
        if let title = columns.textOrNil(2) { row.title = title }
      }
      rows.append((key, row))
    }
    return rows
  }

  func write(_ row: Row, of list: RowKey) throws(OfflineDatabase.Failure) {
    let sql = """
      INSERT OR REPLACE INTO row VALUES
        (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """
    let start = [OfflineValue(list), OfflineValue(RowKey(row.id))]
    switch row.content {
    case .sentinel: break
    case .list(let summary):
      try database.run(
        sql,
        start + [
          .int(Kind.list.rawValue), .text(summary.title), OfflineValue(summary.glyph),
          OfflineValue(summary.colour?.rawValue),
          OfflineValue(summary.totalValueInDollars), .int(summary.rowCount),
        ])
    case .item(let item):
      try database.run(
        sql,
        start + [
          .int((item.kind == .car ? Kind.car : .thing).rawValue),
          row.title == item.rowTitle ? .null : .text(row.title), OfflineValue(item.name),
          OfflineValue(item.serialNumber), OfflineValue(item.valueInDollars), .int(item.quantity),
          item.tags.isEmpty ? .null : .text(item.tags.joined(separator: "\n")),
          OfflineValue(item.car?.make), OfflineValue(item.car?.model),
          OfflineValue(item.car?.year), OfflineValue(item.car?.fuelAmount),
          OfflineValue(item.contentsListID?.rawValue), OfflineValue(item.photo?.rawValue),
        ])
    }
  }

  func removeRow(_ row: RowKey, of list: RowKey) throws(OfflineDatabase.Failure) {
    try database.run(
      "DELETE FROM row WHERE list = ?1 AND id = ?2", [OfflineValue(list), OfflineValue(row)])
  }

  func removeRows(of list: RowKey) throws(OfflineDatabase.Failure) {
    try database.run("DELETE FROM row WHERE list = ?1", [OfflineValue(list)])
  }
}
