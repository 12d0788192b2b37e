import Inventory
import SQLite

extension SortValue {
  /// Reads kind, title, serial_number, value, quantity, created_at, updated_at, total_high and
  /// total_low from the first columns.
  init(_ row: Statement, by key: SortOrder.Key) {
    let isList = row.int64(0) == 0
    func number(_ value: Int64?) -> SortValue { value.map { .number(Int128($0)) } ?? .missing }
    self =
      switch key {
      case .title: .text(NaturalText(row.string(1)))
      case .serialNumber: row.stringOrNil(2).map { .text(NaturalText($0)) } ?? .missing
      case .valueInDollars where isList:
        .number(TotalCents(high: row.int64(7), low: row.int64(8)).amount)
      case .valueInDollars: number(row.int64OrNil(3))
      case .quantity: number(row.int64OrNil(4))
      case .createdAt: number(row.int64(5))
      case .updatedAt: number(row.int64(6))
      }
  }
}
