import Inventory
import SQL

/// Composes operations into deltas that contain the current rows.
struct DeltaReader {
  let db: Connection
  /// The maximum cost of a delta. An operation costs 1, a row to read costs `stepsOfRow`.
  var bound = Int.max
  /// The number of operations that are composed in about the time of reading one short row.
  var stepsOfRow = 4

  /// The changes from the list's rows at `since` to the current ones. `absent` if the caller did not see the list
  /// then, or it was made later. `resync` if the log does not reach back, or has too many changes.
  ///
  /// - Throws: `boundExceeded` if that costs more than `bound`.
  func delta(of list: ListRecord, since: Revision, access: Access) throws(StorageError) -> Delta {
    var delta = Delta(
      listID: list.id, fromRevision: since, toRevision: list.revision, content: .resync)
    guard since <= access.revision, since >= access.historyStart || list.revision <= since else {
      return delta
    }
    var past = PastSight(access, bound: bound, rowBound: bound)
    guard try past.saw(list.key, at: since) else {
      delta.content = .absent
      return delta
    }
    if list.revision <= since {
      delta.toRevision = since
      delta.content = .changes(
        Delta.Changes(
          permissions: list.details.permissions, countBefore: list.tree.count,
          countAfter: list.tree.count))
      return delta
    }
    let log = access.log
    if let arrival = list.arrival, since < arrival { delta.content = .absent }
    if try log.isMade(list.key, after: since) { delta.content = .absent }
    guard delta.content != .absent,
      let operations = try log.operations(on: list.key, since: since, bound: bound)
    else { return delta }
    delta.content = try content(of: list, after: operations, root: access.root)
    return delta
  }

  /// The effect of operations whose result is the present `list`, for a caller whose root is `root`. Rows in `known`
  /// are not read.
  func content(
    of list: ListRecord, after operations: [ListOperation], root: RowKey,
    known: [RowID: Row.Content] = [:]
  ) throws(StorageError) -> Delta.Content {
    guard operations.count <= ChangeLog.maximumOperations else { return .resync }
    var growth = 0
    for operation in operations {
      switch operation {
      case .insert: growth += 1
      case .delete: growth -= 1
      case .move, .reload, .permute, .fields: break
      }
    }
    // If the list grew or shrank by this number of rows, the delta has at least as many entries.
    guard abs(growth) <= Delta.maximumEntries else { return .resync }
    var composer = DeltaComposer(countBefore: list.tree.count - growth)
    for operation in operations { composer.apply(operation) }
    guard let batch = composer.batch() else { return .resync }
    let rows = batch.inserted.count + batch.reloaded.count
    guard operations.count + rows * stepsOfRow <= bound else {
      throw .refused(.boundExceeded)
    }
    let reader = RowReader(db: db)
    var changes = Delta.Changes(
      permissions: list.details.permissions, countBefore: batch.countBefore,
      countAfter: batch.countAfter, deletes: batch.deletes.map { RowIndex($0) }, moves: batch.moves,
      reloads: batch.reloads.map { RowIndex($0) })
    func row(_ id: RowID, at index: Int) throws(StorageError) -> Row {
      if let content = known[id] { return Row(index: RowIndex(index), content: content) }
      return try reader.row(at: index, of: list.tree)
    }
    for (index, id) in zip(batch.inserts, batch.inserted) {
      changes.inserts.append(try row(id, at: index))
    }
    for (index, id) in zip(batch.reloadsAfter, batch.reloaded) {
      changes.reloadsAfter.append(try row(id, at: index))
    }
    if composer.fields != [] {
      changes.list = Delta.ChangedFields(fields: composer.fields, details: list.details)
      if composer.fields.contains(.parent) {
        changes.list?.parentID = try list.list(isRoot: list.key == root, in: db).parentID
      }
    }
    return .changes(changes)
  }
}
