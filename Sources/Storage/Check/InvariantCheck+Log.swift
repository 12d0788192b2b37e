import Inventory
import SQL

// The log begins at history_start; older entries are being deleted.
extension InvariantCheck {
  /// Checks that changes have all the steps and edits they were logged with, that steps fit the lists' current state,
  /// and that edits can be read.
  func checkLog() throws(StorageError) {
    try checkSizes()
    try checkSteps()
    try checkEdits()
    try checkDeletions()
    try report(
      """
      SELECT DISTINCT step.list FROM operation AS step LEFT JOIN row ON row.key = step.list
      WHERE step.list NOT BETWEEN 1 AND (SELECT seq FROM sqlite_sequence WHERE name = 'row')
        OR row.kind <> 0 OR row.inventory <> step.inventory
      """
    ) { "row \($0.int64(0)): the log has steps of it, but it is not a list" }
    try report(
      """
      SELECT logged.inventory, logged.revision
      FROM (SELECT inventory, revision FROM operation UNION SELECT inventory, revision FROM edit)
        AS logged
      JOIN inventory ON inventory.key = logged.inventory
      LEFT JOIN change USING (inventory, revision)
      WHERE hidden = 0 AND logged.revision > history_start AND change.at IS NULL
      """
    ) {
      "inventory \($0.int64(0)): the log has steps or edits "
        + "of change \($0.int64(1)), which it does not have"
    }
  }

  /// Checks the changes that can be undone; older ones were measured in another way.
  private func checkSizes() throws(StorageError) {
    try report(
      """
      SELECT change.inventory, change.revision, size,
        128 + length(CAST(actor AS BLOB)) + length(CAST(request_id AS BLOB))
        + (SELECT coalesce(sum(64 + coalesce(length(places), 0)), 0) FROM operation AS step
          WHERE step.inventory = change.inventory AND step.revision = change.revision)
        + (SELECT coalesce(sum(64
            + iif(typeof(before) = 'integer', 8, coalesce(length(CAST(before AS BLOB)), 0))
            + iif(typeof(after) = 'integer', 8, coalesce(length(CAST(after AS BLOB)), 0))), 0)
          FROM edit
          WHERE edit.inventory = change.inventory AND edit.revision = change.revision) AS sum
      FROM change JOIN inventory ON inventory.key = change.inventory
      WHERE hidden = 0 AND change.revision > history_start AND undoable = 1 AND size <> sum
      """
    ) {
      "inventory \($0.int64(0)): change \($0.int64(1)) has a stored size of \($0.int64(2)) bytes, "
        + "but has \($0.int64(3))"
    }
  }

  /// Follows each list's steps backward from its current number of rows.
  private func checkSteps() throws(StorageError) {
    var list: Int64?
    /// The list's number of rows after the step; nil if unknown.
    var count: Int?
    try report(
      """
      SELECT step.kind, step.row, source, target, places, step.list, step.revision, row_count,
        step.row IS NULL OR length(step.row) = 16
      FROM operation AS step JOIN inventory ON inventory.key = step.inventory
      LEFT JOIN list ON list.key = step.list
      WHERE hidden = 0 AND step.revision > history_start
      ORDER BY step.list DESC, step.revision DESC, step.sequence DESC
      """
    ) { row in
      if list != row.int64(5) {
        list = row.int64(5)
        count = row.isNull(7) ? nil : row.int(7)
      }
      func isReadable(_ record: [UInt8]) -> Bool {
        TrashRecord(logged: record, by: Revision(row.int64(6))) != nil
      }
      if let step = ListOperation(row), row.bool(8),
        step.arrivalOrDeparture == nil || row.bytesOrNil(4).map(isReadable) ?? true,
        step.fits(&count)
      {
        return nil
      }
      // Otherwise all earlier steps would be reported too.
      count = nil
      return "list \(row.int64(5)): its step in change \(row.int64(6)) is impossible"
    }
  }

  /// Checks that the log has the deletion of each row in the trash, with the same time and actor.
  private func checkDeletions() throws(StorageError) {
    try report(
      """
      SELECT trash.row, trash.revision FROM trash JOIN row ON row.key = trash.row
      JOIN inventory ON inventory.key = trash.inventory
      LEFT JOIN change ON change.inventory = trash.inventory AND change.revision = trash.revision
      WHERE hidden = 0 AND trash.revision > history_start AND (
        change.at IS NOT deleted_at OR change.actor IS NOT trash.actor
        OR (trash.inventory, trash.revision, row.id) NOT IN (
          SELECT inventory, revision, row FROM operation WHERE kind = 1 AND row IS NOT NULL))
      """
    ) { "row \($0.int64(0)): it was deleted by change \($0.int64(1)), but the log does not say so" }
  }

  private func checkEdits() throws(StorageError) {
    try report(
      """
      SELECT field, before, after, edit.inventory, edit.revision,
        length(edit.row) = 16 AND iif(field = 'fields', json_valid(before) AND json_valid(after), 1)
      FROM edit JOIN inventory ON inventory.key = edit.inventory
      WHERE hidden = 0 AND edit.revision > history_start
      """
    ) { row in
      let field = row.string(0)
      let isReadable = [1, 2].allSatisfy { FieldValue(row, $0, db.engine).canBeOf(field) }
      return isReadable && row.bool(5)
        ? nil
        : "inventory \(row.int64(3)): change \(row.int64(4)) has a value of \(field) that cannot be read"
    }
  }
}

extension ListOperation {
  /// Whether the step can have left a list with `count` rows. Sets `count` to the number before the step.
  fileprivate func fits(_ count: inout Int?) -> Bool {
    if case .permute(let order) = self, !order.isPermutation { return false }
    guard let after = count else { return true }
    switch self {
    case .insert(_, let index):
      count = after - 1
      return index < after
    case .delete(_, let index):
      count = after + 1
      return index <= after
    case .move(_, let from, let to): return from < after && to < after
    case .reload(_, let index): return index < after
    case .permute(let order): return order.count == after
    case .fields(let fields):
      // The list was created here.
      if fields == [] { count = nil }
      return true
    }
  }
}

extension FieldValue {
  /// Whether a field of a list or of an item can have had the value.
  fileprivate func canBeOf(_ field: String) -> Bool {
    switch field {
    case ChangeLog.Edit.photos: return self == .photos(photos)
    case "contents": return self == .null || text.flatMap { ListID(text: $0) } != nil
    default: break
    }
    if let field = ListField(rawValue: field) { return canBe(field, in: ListDetails(title: "")) }
    guard let field = ItemField(rawValue: field) else { return false }
    return canBe(field, in: ItemDetails(subject: .car(Car())))
  }

  /// Sets the value and reads it back.
  private func canBe<Details: NamedFields>(_ field: Details.Field, in details: Details) -> Bool {
    var details = details
    return details.set(field, to: self) && details[field] == self
  }
}
