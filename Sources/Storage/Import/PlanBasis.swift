import Inventory

/// What a plan of a merge or a table was computed from. The writer refuses the plan if any of it has changed.
struct PlanBasis: Sendable {
  let inventory: InventoryKey
  /// The inventory's revision in that state.
  var revision: Revision
  /// The rows of a merge's lines, and what contains them. Of a table, the rows that need no change: the others are edited
  /// as they are by then. Some rows of a merge do not exist yet.
  var rows: Set<RowID> = []
  /// The lists in which rows were looked up by serial numbers, references and titles.
  var lists: Set<RowKey> = []

  init(_ access: Access) {
    inventory = access.inventory
    revision = access.revision
  }

  /// The fields by which rows are looked up. New contents are one more list to look in.
  private static let lookedUp: Set<String> = [
    ItemField.serialNumber.rawValue, ItemField.fields.rawValue, ListField.title.rawValue,
    "contents",
  ]

  private func depends(on trace: Trace) -> Bool {
    switch trace {
    case .step(let step):
      // A removed list takes along everything below it.
      step.isPlacement
        && (step.removesList || lists.contains(step.list) || step.row.map(rows.contains) == true)
    case .edit(let edit):
      rows.contains(edit.row)
        || edit.parent.map(lists.contains) == true && Self.lookedUp.contains(edit.field)
    }
  }

  /// Throws `boundExceeded` if any of it has changed.
  func requireCurrent(_ access: Access) throws(StorageError) {
    guard inventory == access.inventory,
      (access.historyStart...access.revision).contains(revision)
    else { throw .refused(.boundExceeded) }
    // Usually nothing else was written meanwhile.
    guard revision < access.revision else { return }
    let isStale = try access.log.hasTrace(since: revision, depends)
    guard !isStale else { throw .refused(.boundExceeded) }
  }
}
