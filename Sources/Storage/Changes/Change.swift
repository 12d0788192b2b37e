import FoundationEssentials
import Inventory
import SQL

/// A change in progress: the lists it has touched, and the steps for the log and the deltas.
///
/// Lists are loaded once, changed in memory, and written by `commit`.
final class Change {
  let db: Connection
  let access: Access
  let context: WriteContext
  let shape: TreeShape
  let now: Timestamp
  /// The revision of the change, if it changes anything.
  let revision: Revision

  private var lists: [RowKey: ListRecord] = [:]
  private var listsBefore: [RowKey: ListRecord] = [:]
  /// In the order in which lists were first touched.
  private var touched: [RowKey] = []
  private var operations: [RowKey: [ListOperation]] = [:]
  private var sequence: [(list: RowKey, operation: ListOperation)] = []
  private var summariesChanged: Set<RowKey> = []
  /// The lists in `summariesChanged`, in the order in which they first changed.
  private var rowsToReload: [RowKey] = []
  /// The content of rows that the change has created or changed, so that no delta has to read them.
  private var known: [RowID: Row.Content] = [:]
  private var edits: [ChangeLog.Edit] = []
  /// The trash records that inserted rows had, and those that removed rows get back, as logged.
  private var trashRecords: [RowID: [UInt8]] = [:]
  /// The rows that existed before the change and that it has put into a list.
  var returned: Set<RowID> = []
  /// Whether the change has put rows into the trash. The receipt then leaves out lists that are there.
  var hasTrashed = false
  /// How many lists below moved rows may still be checked.
  var listsToLookAt = Limits.listsTakenDown
  /// The deepest level that a list may have had before the change.
  private(set) lazy var deepestBefore = db.tree?.deepest?.level(of: access.inventory) ?? .max / 2
  /// The time from which rows that this change deletes are in the trash.
  private var deletedAt: Timestamp?
  /// The numbers of lists and items that the change has created.
  var newLists = 0
  var newItems = 0
  /// The approximate bytes of text that the search index must add or remove after the change.
  private(set) var indexedBytes = 0
  /// A new order whose step has been encoded and composed before.
  private var newOrder: PreparedOrder?

  init(
    _ context: WriteContext, in db: Connection, shape: TreeShape, now: Timestamp,
    isWriting: Bool = true
  ) throws(StorageError) {
    self.db = db
    self.context = context
    self.shape = shape
    self.now = now
    var access = try Access(context.caller, in: db)
    access.isWriting = isWriting
    self.access = access
    revision = access.revision.next
  }

  var isEmpty: Bool { sequence.isEmpty && edits.isEmpty }

  // Lists

  /// A list by key, as changed so far.
  func list(_ key: RowKey) throws(StorageError) -> ListRecord {
    if let known = lists[key] { return known }
    return remember(try ListRecord.read(key, in: db))
  }

  /// The list that the request names. Throws unless the caller may see it.
  func list(_ reference: ListReference) throws(StorageError) -> ListRecord {
    let record = try access.list(reference)
    return lists[record.key] ?? remember(record)
  }

  /// The present place of a list, if it is a row. Splits and joins of the tree may have moved it.
  func standing(of key: RowKey) throws(StorageError) -> (parent: RowKey, place: TreeSlot)? {
    let entry = try access.entry(key)
    guard let parent = entry.parent, let place = entry.place else { return nil }
    return (parent, place)
  }

  private func remember(_ record: ListRecord) -> ListRecord {
    lists[record.key] = record
    listsBefore[record.key] = record
    return record
  }

  /// Changes a loaded list in memory.
  @discardableResult
  func update<R>(
    _ key: RowKey, _ body: (inout ListRecord) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    var record = try list(key)
    let result = try body(&record)
    lists[key] = record
    return result
  }

  func index(of place: TreeSlot, in list: RowKey) throws(StorageError) -> Int {
    try self.list(list).tree.index(of: place, in: db)
  }

  /// The index of a row that is in a list.
  func index(of entry: Access.Entry, in list: RowKey) throws(StorageError) -> Int {
    guard entry.parent == list, let place = entry.place else {
      throw .broken("row \(entry.key) is not in list \(list)")
    }
    return try index(of: place, in: list)
  }

  /// The index of the row with an id; nil if the list does not have it.
  func index(of id: RowID, in list: RowKey) throws(StorageError) -> Int? {
    guard let entry = try access.find(id), entry.parent == list, let place = entry.place else {
      return nil
    }
    return try index(of: place, in: list)
  }

  // Steps

  func record(_ operation: ListOperation, on list: RowKey) {
    if operations[list] == nil { touched.append(list) }
    operations[list, default: []].append(operation)
    sequence.append((list, operation))
  }

  /// Records the one step of a change that gives a long list a new order.
  func record(_ prepared: PreparedOrder) {
    newOrder = prepared
    record(.permute(order: prepared.places), on: prepared.list)
  }

  /// Keeps a row's new content in memory, so that no delta has to read it.
  func know(_ content: Row.Content, of row: RowID) { known[row] = content }

  func record(_ edit: ChangeLog.Edit) { edits.append(edit) }

  /// The time of a deletion. If the clock was set back, a row must not look as if it had been in the trash for long.
  func deletionTime() throws(StorageError) -> Timestamp {
    if let deletedAt { return deletedAt }
    let time = max(now, try access.log.latest())
    deletedAt = time
    return time
  }

  /// Keeps a row's trash record, to be logged with the step that inserts or removes the row.
  func record(_ trashed: TrashRecord, of row: RowID) {
    trashRecords[row] = trashed.logged(by: revision)
  }

  /// Notes that a list's summary has changed, so that its row must be reloaded.
  func summaryChanged(of list: RowKey) {
    if summariesChanged.insert(list).inserted { rowsToReload.append(list) }
  }

  /// Logs a step on a list that the change itself creates. Receipts do not contain it.
  func recordQuietly(_ operation: ListOperation, on list: RowKey) {
    sequence.append((list, operation))
  }

  /// Adds the sizes of an item's notes, custom fields and tags to `indexedBytes`. Its other texts are short.
  func countText(of details: ItemDetails) {
    indexedBytes += (details.notes?.utf8.count ?? 0) + details.fields.json.utf8.count
    for tag in details.tags { indexedBytes += tag.utf8.count }
  }

  // The end

  /// Writes the touched lists and the log, and returns the receipt. A change without operations and edits writes
  /// nothing and gets no revision.
  func commit(
    action: String, landing: Landing? = nil, isUndoable: Bool = true
  ) throws(StorageError) -> Receipt {
    guard !isEmpty else {
      return Receipt(
        revision: access.revision, isChanged: false, landing: landing)
    }
    // A new contents list stays with its item for good.
    let isUndoable = isUndoable && !edits.contains { $0.field == "contents" }
    try reloadRows()
    for key in touched {
      try update(key) { list in
        list.revision = revision
        list.updatedAt = now
      }
      try list(key).save(in: db)
    }
    let size = try writeLog(action: action, isUndoable: isUndoable)
    try db.sql(
      """
      UPDATE inventory SET revision = ?2, list_count = list_count + ?3, item_count = item_count + ?4,
        history_size = history_size + ?5
      WHERE key = ?1
      """
    ).bind(access.inventory).bind(revision.number).bind(newLists).bind(newItems).bind(size)
      .perform()
    return Receipt(
      revision: revision, isChanged: true, deltas: try deltas(), landing: landing,
      isUndoable: isUndoable)
  }

  private func reloadRows() throws(StorageError) {
    for key in rowsToReload {
      let summary = try list(key).summary
      // Deletions and insertions of a batch may cancel out.
      guard summary != listsBefore[key]?.summary, let (parent, place) = try place(of: key) else {
        continue
      }
      let index = try index(of: place, in: parent)
      know(.list(summary), of: RowID(summary.id))
      record(.reload(RowID(summary.id), at: index), on: parent)
    }
  }

  /// The present place of a loaded list, if it is a row.
  private func place(of key: RowKey) throws(StorageError) -> (parent: RowKey, place: TreeSlot)? {
    let record = try list(key)
    // As long as nothing has changed in the list above, no split or join has moved the row.
    guard let parent = record.parent, let place = record.place, operations[parent] == nil else {
      return try standing(of: key)
    }
    return (parent, place)
  }

  /// Writes the log. Returns its approximate size in bytes.
  private func writeLog(action: String, isUndoable: Bool) throws(StorageError) -> Int {
    let log = access.log
    let size =
      LogSize.change(context) + sequence.reduce(0) { $0 + LogSize.operation($1.operation) }
      + edits.reduce(0) { $0 + LogSize.edit($1) }
      + trashRecords.reduce(0) { $0 + $1.value.count }
    try log.append(
      revision: revision, at: now, action: action, isUndoable: isUndoable, size: size,
      context: context)
    for (number, step) in sequence.enumerated() {
      let row = step.operation.arrivalOrDeparture
      let places: [UInt8]? =
        switch step.operation {
        case .insert(let row, _), .delete(let row, _): trashRecords[row]
        case .permute(let order):
          if let newOrder, newOrder.list == step.list {
            newOrder.logged
          } else {
            LoggedOrder.bytes(order)
          }
        case .move, .reload, .fields: nil
        }
      try log.append(
        step.operation, places: places, isReturn: row.map(returned.contains) ?? false,
        to: step.list, revision: revision, sequence: number)
    }
    for edit in edits { try log.append(edit, revision: revision) }
    return size
  }

  private func deltas() throws(StorageError) -> [Delta] {
    // The list above the caller's root reloads it as a row, but the caller does not see that list.
    let outside =
      access.root == access.inventoryRoot ? nil : try db.parent(of: access.root)
    let reader = DeltaReader(db: db)
    var deltas: [Delta] = []
    for key in touched where key != outside {
      if hasTrashed, try !access.ancestors.isLive(key) { continue }
      let list = try list(key)
      let content: Delta.Content
      if let newOrder, newOrder.list == key {
        content = newOrder.content(of: list)
      } else {
        content = try reader.content(
          of: list, after: operations[key] ?? [], root: access.root, known: known)
      }
      deltas.append(
        Delta(
          listID: list.id, fromRevision: listsBefore[key]?.revision ?? list.revision,
          toRevision: revision, content: content))
    }
    return deltas
  }
}
