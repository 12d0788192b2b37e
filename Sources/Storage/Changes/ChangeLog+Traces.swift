import Inventory
import SQL

/// A step or an edit in the log.
enum Trace {
  case step(Step)
  case edit(Edit)

  struct Step {
    var list: RowKey
    /// What contains the list now.
    var parent: RowKey?
    /// The row that the step inserts, removes, moves or reloads.
    var row: RowID?
    var isPlacement: Bool
    /// Whether it removes a list.
    var removesList: Bool
  }

  struct Edit {
    var row: RowID
    var field: String
    /// The list that contains the row now.
    var parent: RowKey?
  }
}

extension ChangeLog {
  /// The maximum number of steps, and of edits, that `hasTrace` reads. The writer takes about 30 milliseconds for them.
  private static let maximumTraces = 10_000

  /// Whether one of the steps and edits since a revision fits a condition. True also if there are too many to look at.
  func hasTrace(since: Revision, _ fits: (Trace) -> Bool) throws(StorageError) -> Bool {
    var hasFound = false
    var count = 0
    try db.sql(
      """
      SELECT step.list, home.parent, step.row, step.kind, step.target
      FROM (SELECT list, row, kind, target FROM operation
        WHERE inventory = ?1 AND revision > ?2 LIMIT ?3) AS step
      LEFT JOIN row AS home ON home.key = step.list
      """
    ).bind(inventory).bind(since.number).bind(Self.maximumTraces).eachWhile { row in
      count += 1
      let kind = row.int64(3)
      let step = Trace.Step(
        list: row.key(0), parent: row.keyOrNil(1), row: row.isNull(2) ? nil : RowID(row.uuid(2)),
        isPlacement: kind <= 1, removesList: kind == 1 && row.int64OrNil(4) == 1)
      hasFound = fits(.step(step))
      return !hasFound
    }
    guard !hasFound, count < Self.maximumTraces else { return true }
    count = 0
    try db.sql(
      """
      SELECT changed.row, changed.field, home.parent
      FROM (SELECT row, field FROM edit
        WHERE inventory = ?1 AND revision > ?2 LIMIT ?3) AS changed
      LEFT JOIN row AS home ON home.inventory = ?1 AND home.id = changed.row
      """
    ).bind(inventory).bind(since.number).bind(Self.maximumTraces).eachWhile { row in
      count += 1
      hasFound = fits(
        .edit(
          Trace.Edit(row: RowID(row.uuid(0)), field: row.string(1), parent: row.keyOrNil(2))))
      return !hasFound
    }
    return hasFound || count == Self.maximumTraces
  }

  /// Whether a row of a list may have a later `updatedAt` than at a revision. A row can have one although the log has
  /// no step on the list: if notes or custom fields of an item change, or the rows of a list in it.
  func hasUpdate(in list: RowKey, since: Revision) throws(StorageError) -> Bool {
    try hasTrace(since: since) { trace in
      switch trace {
      case .step(let step): step.parent == list
      case .edit(let edit): edit.parent == list
      }
    }
  }
}
