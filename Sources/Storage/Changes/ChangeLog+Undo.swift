import Inventory
import SQLite

/// What an undo reads of one change.
extension ChangeLog {
  struct Entry {
    var isUndoable: Bool
    /// No row that was there by then has a higher key.
    var newest: Int64
    /// Each list's operations in order; the lists in the order in which they were first touched.
    var steps: [(list: Int64, operations: [ListOperation])]
    /// By row.
    var edits: [(row: RowID, fields: [EditedField])]
  }

  struct EditedField {
    var name: String
    var before: Edit.Value
    var after: Edit.Value
  }

  func entry(_ revision: Revision) throws(StorageError) -> Entry {
    let found = try db.sql(
      "SELECT undoable, newest FROM change WHERE inventory = ?1 AND revision = ?2"
    ).bind(inventory).bind(revision.number).one { ($0.bool(0), $0.int64OrNil(1)) }
    guard let (isUndoable, newest) = found else {
      throw .broken("the change \(revision) is not in the log")
    }
    return Entry(
      isUndoable: isUndoable, newest: newest ?? .max, steps: try steps(of: revision),
      edits: try edits(of: revision))
  }

  /// The number of rows of the longest list that a change gave a new order; 0 where it gave none.
  func rowsOrdered(by revision: Revision) throws(StorageError) -> Int {
    let bytes =
      try db.sql(
        "SELECT max(length(places)) FROM operation WHERE inventory = ?1 AND revision = ?2"
      ).bind(inventory).bind(revision.number).one { $0.intOrNil(0) } ?? nil
    return (bytes ?? 0) / OperationColumns.bytesOfPlace
  }

  private func steps(
    of revision: Revision
  ) throws(StorageError) -> [(list: Int64, operations: [ListOperation])] {
    var steps: [(list: Int64, operations: [ListOperation])] = []
    var positions: [Int64: Int] = [:]
    var isReadable = true
    try db.sql(
      """
      SELECT kind, row, source, target, places, list FROM operation
      WHERE inventory = ?1 AND revision = ?2 ORDER BY sequence
      """
    ).bind(inventory).bind(revision.number).each { row in
      guard let operation = OperationColumns(row).operation else {
        isReadable = false
        return
      }
      let list = row.int64(5)
      let position = positions[list] ?? steps.count
      if position == steps.count {
        positions[list] = position
        steps.append((list, []))
      }
      steps[position].operations.append(operation)
    }
    guard isReadable else { throw .broken("an operation of \(revision) cannot be read") }
    return steps
  }

  private func edits(
    of revision: Revision
  ) throws(StorageError) -> [(row: RowID, fields: [EditedField])] {
    var edits: [(row: RowID, fields: [EditedField])] = []
    try db.sql(
      """
      SELECT row, field, before, after FROM edit
      WHERE inventory = ?1 AND revision = ?2 ORDER BY row, field
      """
    ).bind(inventory).bind(revision.number).each { row in
      let id = RowID(row.uuid(0))
      if edits.last?.row != id { edits.append((id, [])) }
      edits[edits.count - 1].fields.append(
        EditedField(
          name: row.string(1), before: Edit.Value(row, 2), after: Edit.Value(row, 3)))
    }
    return edits
  }

  /// Whether a list has a row that was made after the row with that key.
  func hasRow(in list: Int64, newerThan key: Int64) throws(StorageError) -> Bool {
    try db.sql("SELECT 1 FROM row WHERE parent = ?1 AND key > ?2 LIMIT 1").bind(list).bind(key)
      .one { _ in true } ?? false
  }

  /// Whether any row of a list has come, gone or moved since a revision.
  ///
  /// - Parameter orNewValues: whether a row that shows other values counts too.
  func hasNewOrder(
    _ list: Int64, orNewValues: Bool, since: Revision
  ) throws(StorageError) -> Bool {
    try db.sql(
      """
      SELECT 1 FROM operation
      WHERE list = ?1 AND revision > ?2 AND (kind IN (0, 1, 2, 4) OR ?3 AND kind = 3) LIMIT 1
      """
    ).bind(list).bind(since.number).bind(orNewValues).one { _ in true } ?? false
  }
}

extension ChangeLog.Edit.Value {
  fileprivate init(_ row: Statement, _ column: Int) {
    switch row.columnType(column) {
    case .null: self = .null
    case .integer: self = .integer(row.int64(column))
    case .text, .real, .blob: self = .text(row.string(column))
    }
  }
}
