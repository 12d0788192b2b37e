import Inventory
import SQL

/// Reads changes for undo.
extension ChangeLog {
  struct Entry {
    var isUndoable: Bool
    /// The highest key of any row when the change was made.
    var newest: RowKey
    /// Each list's operations in order; the lists in the order in which they were first touched.
    var steps: [(list: RowKey, operations: [ListOperation])]
    /// The edited fields by row.
    var edits: [(row: RowID, fields: [Edit])]
    /// The records of rows that the change took out of the trash or put back there. Older programs logged none.
    var trashRecords: [RowID: TrashRecord]
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

  /// Whether a change has more steps than a bound, or reordered a list of more rows.
  func isLong(_ revision: Revision, bound: Int) throws(StorageError) -> Bool {
    try db.sql(
      """
      SELECT count(*) > ?3 OR max(CASE WHEN kind = 4 THEN length(places) ELSE 0 END) / ?4 > ?3 FROM (
        SELECT kind, places FROM operation WHERE inventory = ?1 AND revision = ?2 LIMIT ?3 + 1)
        AS step
      """
    ).bind(inventory).bind(revision.number).bind(bound).bind(LoggedOrder.bytesOfPlace)
      .one { $0.bool(0) } ?? false
  }

  private func steps(
    of revision: Revision
  ) throws(StorageError) -> (
    [(list: RowKey, operations: [ListOperation])], trashRecords: [RowID: TrashRecord]
  ) {
    var steps: [(list: RowKey, operations: [ListOperation])] = []
    var trashRecords: [RowID: TrashRecord] = [:]
    var positions: [RowKey: Int] = [:]
    try db.sql(
      """
      SELECT kind, row, source, target, places, list FROM operation
      WHERE inventory = ?1 AND revision = ?2 ORDER BY sequence
      """
    ).bind(inventory).bind(revision.number).each { (row) throws(StorageError) in
      guard let operation = ListOperation(row) else {
        throw .broken("an operation of \(revision) cannot be read")
      }
      if let id = operation.arrivalOrDeparture, let bytes = row.bytesOrNil(4) {
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
    return (steps, trashRecords)
  }

  private func edits(
    of revision: Revision
  ) throws(StorageError) -> [(row: RowID, fields: [Edit])] {
    var edits: [(row: RowID, fields: [Edit])] = []
    try db.sql(
      """
      SELECT row, field, before, after FROM edit
      WHERE inventory = ?1 AND revision = ?2 ORDER BY row, field
      """
    ).bind(inventory).bind(revision.number).each { row in
      let id = RowID(row.uuid(0))
      if edits.last?.row != id { edits.append((id, [])) }
      edits[edits.count - 1].fields.append(
        Edit(
          row: id, field: row.string(1), before: FieldValue(row, 2, db.engine),
          after: FieldValue(row, 3, db.engine)))
    }
    return edits
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
    var isTooMuch = false
    try eachOperation(
      on: list, since: since, readingPlacesUpTo: min(bound, Self.maximumPlaces)
    ) {
      count += 1
      places += $0
      return count + places <= bound
    } _: {
      steps.append($0)
      isTooMuch =
        steps.placeCount > Self.maximumPlaces || steps.steps.count > Self.maximumStepsHeld
      return !isTooMuch
    }
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
        SELECT count(*) FROM (
          SELECT 1 FROM edit WHERE inventory = ?1 AND revision > ?2 LIMIT ?3) AS step
        """
      ).bind(inventory).bind(since.number).bind(bound == .max ? bound : bound + 1)
      .one { $0.int(0) } ?? 0
    guard count <= bound else { throw .refused(.boundExceeded) }
    bound -= count
    let rows = try db.sql(
      """
      SELECT DISTINCT span.row
      FROM (SELECT row, field, min(revision) AS first, max(revision) AS last FROM edit
        WHERE inventory = ?1 AND revision > ?2 GROUP BY row, field) AS span
      CROSS JOIN edit AS old ON old.inventory = ?1 AND old.revision = span.first
        AND old.row = span.row AND old.field = span.field
      CROSS JOIN edit AS new ON new.inventory = ?1 AND new.revision = span.last
        AND new.row = span.row AND new.field = span.field
      WHERE old.before IS DISTINCT FROM new.after
      """
    ).bind(inventory).bind(since.number).all { RowID($0.uuid(0)) }
    return Set(rows)
  }

  /// The lists on which the log has operations since a revision.
  ///
  /// - Parameter bound: reduced by the operations read.
  /// - Throws: `boundExceeded` if more than `bound` operations must be read.
  func listsTouched(since: Revision, bound: inout Int) throws(StorageError) -> [RowKey] {
    let count =
      try db.sql(
        """
        SELECT count(*) FROM (
          SELECT 1 FROM operation WHERE inventory = ?1 AND revision > ?2 LIMIT ?3) AS step
        """
      ).bind(inventory).bind(since.number).bind(bound == .max ? bound : bound + 1)
      .one { $0.int(0) } ?? 0
    guard count <= bound else { throw .refused(.boundExceeded) }
    bound -= count
    return try db.sql("SELECT DISTINCT list FROM operation WHERE inventory = ?1 AND revision > ?2")
      .bind(inventory).bind(since.number).all { $0.key(0) as RowKey }
  }

  /// Whether a list has a row that was created after the row with a key.
  func hasRow(in list: RowKey, newerThan key: RowKey) throws(StorageError) -> Bool {
    try db.sql("SELECT 1 FROM row WHERE parent = ?1 AND key > ?2 LIMIT 1").bind(list).bind(key)
      .hasRow()
  }

  /// Whether a row of a list was inserted, removed or moved since a revision.
  ///
  /// - Parameter orNewValues: whether a row with new values counts too.
  func hasNewOrder(_ list: RowKey, orNewValues: Bool, since: Revision) throws(StorageError) -> Bool
  {
    try db.sql(
      """
      SELECT 1 FROM operation
      WHERE list = ?1 AND revision > ?2 AND (kind IN (0, 1, 2, 4) OR ?3 = 1 AND kind = 3) LIMIT 1
      """
    ).bind(list).bind(since.number).bind(orNewValues).hasRow()
  }
}

extension FieldValue {
  init(_ row: Statement, _ column: Int, _ engine: Connection.Engine) {
    guard engine == .sqlite else {
      let text = row.stringOrNil(column)
      self =
        switch text?.first {
        case "i": text.flatMap { Int64($0.dropFirst()) }.map(FieldValue.integer) ?? .null
        case "t": .text(String(text?.dropFirst() ?? ""))
        default: .null
        }
      return
    }
    self =
      row.isInteger(column)
      ? .integer(row.int64(column)) : row.stringOrNil(column).map(FieldValue.text) ?? .null
  }
}
