/// A value of any type, as it is copied from one database to another.
package enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
}

extension Statement {
  /// The value of a column. A real number, which no table of Rowhouse has, becomes bytes.
  package func value(_ column: Int) -> SQLValue {
    if isNull(column) { return .null }
    if isInteger(column) { return .integer(int64(column)) }
    return isText(column) ? .text(string(column)) : .bytes(bytes(column))
  }

  @discardableResult
  package func bind(_ value: SQLValue) -> Statement {
    switch value {
    case .null: bindNull()
    case .integer(let number): bind(number)
    case .text(let text): bind(text)
    case .bytes(let bytes): bind(bytes)
    }
  }
}
