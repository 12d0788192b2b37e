import Inventory
import SQLite

/// Reads changes for undo.
extension ChangeLog {
  struct Entry {
    var isUndoable: Bool
    /// The highest key of any row when the change was made.
    var newest: RowKey
    /// Each list's operations in order; the lists in the order in which they were first touched.
    var steps: [(list: RowKey, operations: [ListOperation])]
    /// The edited fields by row.
    var edits: [(row: RowID, fields: [EditedField])]
    /// The records of rows that the change took out of the trash or put back there. Older programs logged none.
    var trashRecords: [RowID: TrashRecord]
  }

  struct EditedField {
    var name: String
    var before: FieldValue
    var after: FieldValue
  }

  func entry(_ revision: Revision) throws(StorageError) -> Entry {
    let found = try db.sql(
      "SELECT undoable, newest FROM change WHERE inventory = ?1 AND revision = ?2"
    ).bind(inventory).bind(revision.number).one { ($0.bool(0), $0.keyOrNil(1) as RowKey?) }
    guard let (isUndoable, newest) = found else {
      throw .broken("the change \(revision) is not in the log")
    }
    let (steps, trashRecords) = try steps(of: revision)
    return Entry(
      isUndoable: isUndoable, newest: newest ?? .max, steps: steps,
      edits: try edits(of: revision), trashRecords: trashRecords)
  }

  /// The number of rows of the longest list that a change reordered; 0 if it reordered none.
  func rowsOrdered(by revision: Revision) throws(StorageError) -> Int {
    let bytes =
      try db.sql(
        """
        SELECT max(length(places)) FROM operation
        WHERE inventory = ?1 AND revision = ?2 AND kind = 4
        """
      ).bind(inventory).bind(revision.number).one { $0.intOrNil(0) } ?? nil
    return (bytes ?? 0) / OperationColumns.bytesOfPlace
  }

  private func steps(
    of revision: Revision
  ) throws(StorageError) -> (
    [(list: RowKey, operations: [ListOperation])], trashRecords: [RowID: TrashRecord]
  ) {
    var steps: [(list: RowKey, operations: [ListOperation])] = []
    var trashRecords: [RowID: TrashRecord] = [:]
    var positions: [RowKey: Int] = [:]
    var isReadable = true
    try db.sql(
      """
      SELECT kind, row, source, target, places, list FROM operation
      WHERE inventory = ?1 AND revision = ?2 ORDER BY sequence
      """
    ).bind(inventory).bind(revision.number).each { row in
      let columns = OperationColumns(row)
      guard let operation = columns.operation else {
        isReadable = false
        return
      }
      if columns.isArrivalOrDeparture, let id = columns.row, let bytes = columns.places {
        trashRecords[id] = TrashRecord(logged: bytes, by: revision)
      }
      let list: RowKey = row.key(5)
      let position = positions[list] ?? steps.count
      if position == steps.count {
        positions[list] = position
        steps.append((list, []))
      }
      steps[position].operations.append(operation)
    }
    guard isReadable else { throw .broken("an operation of \(revision) cannot be read") }
    return (steps, trashRecords)
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
          name: row.string(1), before: FieldValue(row, 2), after: FieldValue(row, 3)))
    }
    return edits
  }

  /// The number of steps of a change, counted up to a bound.
  func stepCount(of revision: Revision, upTo bound: Int) throws(StorageError) -> Int {
    try db.sql(
      """
      SELECT count(*) FROM (
        SELECT 1 FROM operation WHERE inventory = ?1 AND revision = ?2 LIMIT ?3)
      """
    ).bind(inventory).bind(revision.number).bind(bound).one { $0.int(0) } ?? 0
  }

  /// The maximum number of steps held while reading; later steps may cancel some of them.
  private static let maximumStepsHeld = 1 << 20

  /// The steps that changed the order of a list since a revision; nil if they are too many.
  ///
  /// - Parameter bound: reduced by the steps and places read.
  /// - Throws: `boundExceeded` if more than `bound` steps and places must be read.
  func orderSteps(
    on list: RowKey, since: Revision, bound: inout Int
  ) throws(StorageError) -> [ListOperation]? {
    var steps = OrderSteps()
    var (count, places) = (0, 0)
    var (isReadable, isTooMuch) = (true, false)
    // SQLite gets a column's length without reading it: https://www.sqlite.org/fileformat2.html#record_format
    try db.sql(
      """
      SELECT kind, row, source, target, CASE WHEN kind = 4 AND length(places) <= ?3 THEN places END,
        iif(kind = 4, coalesce(length(places), 0), 0)
      FROM operation WHERE list = ?1 AND revision > ?2 ORDER BY revision, sequence
      """
    ).bind(list).bind(since.number).bind(
      min(bound, Self.maximumPlaces) * OperationColumns.bytesOfPlace
    )
    .eachWhile { row in
      count += 1
      places += row.int(5) / OperationColumns.bytesOfPlace
      guard count + places <= bound else { return false }
      guard let operation = OperationColumns(row).operation else {
        isReadable = false
        return false
      }
      steps.append(operation)
      isTooMuch =
        steps.placeCount > Self.maximumPlaces || steps.steps.count > Self.maximumStepsHeld
      return !isTooMuch
    }
    guard isReadable else { throw .broken("list \(list): an operation cannot be read") }
    guard count + places <= bound else { throw .refused(.boundExceeded) }
    bound -= count + places
    return isTooMuch || steps.steps.count > Self.maximumOperations ? nil : steps.steps
  }

  /// The rows with values other than those at a revision.
  ///
  /// - Parameter bound: reduced by the edits read.
  /// - Throws: `boundExceeded` if more than `bound` edits must be read.
  func rowsEdited(since: Revision, bound: inout Int) throws(StorageError) -> Set<RowID> {
    let count =
      try db.sql(
        """
        SELECT count(*) FROM (SELECT 1 FROM edit WHERE inventory = ?1 AND revision > ?2 LIMIT ?3)
        """
      ).bind(inventory).bind(since.number).bind(bound == .max ? bound : bound + 1)
      .one { $0.int(0) } ?? 0
    guard count <= bound else { throw .refused(.boundExceeded) }
    bound -= count
    var rows: Set<RowID> = []
    try db.sql(
      """
      SELECT DISTINCT span.row
      FROM (SELECT row, field, min(revision) AS first, max(revision) AS last FROM edit
        WHERE inventory = ?1 AND revision > ?2 GROUP BY row, field) AS span
      CROSS JOIN edit AS old ON old.inventory = ?1 AND old.revision = span.first
        AND old.row = span.row AND old.field = span.field
      CROSS JOIN edit AS new ON new.inventory = ?1 AND new.revision = span.last
        AND new.row = span.row AND new.field = span.field
      WHERE old.before IS NOT new.after
      """
    ).bind(inventory).bind(since.number).each { rows.insert(RowID($0.uuid(0))) }
    return rows
  }

  /// Whether a list has a row that was created after the row with a key.
  func hasRow(in list: RowKey, newerThan key: RowKey) throws(StorageError) -> Bool {
    try db.sql("SELECT 1 FROM row WHERE parent = ?1 AND key > ?2 LIMIT 1").bind(list).bind(key)
      .one { _ in true } ?? false
  }

  /// Whether a row of a list was inserted, removed or moved since a revision.
  ///
  /// - Parameter orNewValues: whether a row with new values counts too.
  func hasNewOrder(_ list: RowKey, orNewValues: Bool, since: Revision) throws(StorageError) -> Bool
  {
    try db.sql(
      """
      SELECT 1 FROM operation
      WHERE list = ?1 AND revision > ?2 AND (kind IN (0, 1, 2, 4) OR ?3 AND kind = 3) LIMIT 1
      """
    ).bind(list).bind(since.number).bind(orNewValues).one { _ in true } ?? false
  }
}

extension FieldValue {
  init(_ row: Statement, _ column: Int) {
    switch row.columnType(column) {
    case .null: self = .null
    case .integer: self = .integer(row.int64(column))
    case .text, .real, .blob: self = .text(row.string(column))
    }
  }
}
