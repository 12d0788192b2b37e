import Inventory
import SQLite

/// Turns operations into deltas with the rows as they are now.
struct DeltaReader {
  let db: Connection
  /// Steps that a delta may take: operations, and rows to read.
  var bound = Int.max

  /// Operations that are composed in about the time in which one row is read.
  private static let stepsOfRow = 4

  /// What turned the list's rows at `since` into those now.
  ///
  /// - Throws: `boundExceeded` where that takes more than `bound` steps.
  func delta(of list: ListRecord, since: Revision, access: Access) throws(StorageError) -> Delta {
    var delta = Delta(
      listID: list.id, fromRevision: since, toRevision: list.revision, content: .resync)
    guard since <= access.revision else { return delta }
    if list.revision <= since {
      delta.toRevision = since
      delta.content = .changes(
        Delta.Changes(
          permissions: list.details.permissions, countBefore: list.tree.count,
          countAfter: list.tree.count))
      return delta
    }
    guard since >= access.historyStart else { return delta }
    let log = ChangeLog(db: db, inventory: access.inventory)
    if let arrival = list.arrival, since < arrival { delta.content = .absent }
    if try log.isMade(list.key, after: since) { delta.content = .absent }
    guard delta.content != .absent,
      let operations = try log.operations(on: list.key, since: since, bound: bound)
    else { return delta }
    delta.content = try content(of: list, after: operations, root: access.root)
    return delta
  }

  /// What the operations came to, `list` being as they left it, for a caller who sees `root` as root;
  /// what some rows show may be `known`.
  func content(
    of list: ListRecord, after operations: [ListOperation], root: Int64,
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
    // Rows that are more by so many are so many entries at least.
    guard abs(growth) <= Delta.maximumEntries else { return .resync }
    var composer = DeltaComposer(countBefore: list.tree.count - growth)
    for operation in operations { composer.apply(operation) }
    guard let batch = composer.batch() else { return .resync }
    let rows = batch.inserted.count + batch.reloaded.count
    guard operations.count + rows * Self.stepsOfRow <= bound else {
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
