import FoundationEssentials
import Inventory
import SQL

/// Reads from the log what happened in a span of revisions, as far as one caller sees it.
struct ActivityReader {
  private let access: Access
  private var db: Connection { access.db }
  /// The rows checked so far, and whether the caller sees them.
  private var seen: [RowKey: Bool] = [:]
  private var past: PastSight
  private var changes = Activity.Changes()

  init(_ access: Access) {
    self.access = access
    past = PastSight(access, bound: access.db.walkBound, rowBound: access.db.walkBound)
  }

  /// A row that was removed from a list.
  private struct Removal {
    let row: RowID
    let list: RowKey
    let revision: Revision
    /// The key of the newest row at that time.
    let newest: RowKey
    /// Nil if an older version of Rowhouse has logged the step.
    let isList: Bool?
  }

  /// The rows and lists that the log names, each once, in the order of the steps.
  private struct Steps {
    var lists: [RowKey] = []
    /// Rows that were inserted into a list, or edited.
    var rows: [RowID] = []
    /// The last revision that did so.
    var lastRevisions: [RowID: Int64] = [:]
    var removals: [Removal] = []
    var count = 0

    private var knownLists: Set<RowKey> = []

    mutating func add(list: RowKey) {
      if knownLists.insert(list).inserted { lists.append(list) }
    }

    mutating func add(_ row: RowID, at revision: Int64) {
      if lastRevisions[row] == nil { rows.append(row) }
      lastRevisions[row] = max(revision, lastRevisions[row] ?? revision)
    }
  }

  mutating func activity(since: Revision, limit: Int) throws(StorageError) -> Activity {
    var activity = Activity(
      fromRevision: since, revision: access.revision, content: .historyGone)
    guard since <= access.revision, since >= access.historyStart else { return activity }
    guard let steps = try steps(since: since, limit: limit) else {
      activity.content = .tooMuch
      return activity
    }
    if since.next == access.revision { changes.requestID = try requestID() }
    changes.bringsLists = try hasArrivals(since: since)
    for list in steps.lists { try look(at: list, since: since) }
    var items: [ItemID: Set<ListID>] = [:]
    var order: [ItemID] = []
    func add(_ item: ItemID, _ list: ListID) {
      if items[item] == nil { order.append(item) }
      items[item, default: []].insert(list)
    }
    for row in steps.rows {
      guard let last = steps.lastRevisions[row],
        let list = try seenHome(of: row, changedIn: since.next.number...last, since: since)
      else { continue }
      add(ItemID(row), list)
    }
    for removal in steps.removals {
      guard try sees(removal.list), try past.saw(removal.list, at: removal.revision) else {
        continue
      }
      guard let entry = try entryInSight(of: removal) else {
        // The row was purged, or is out of sight. The caller gets the same answer for both.
        changes.hidesLists = true
        if removal.isList == false {
          add(ItemID(removal.row), ListID(try access.id(of: removal.list)))
        }
        continue
      }
      let isGone = try !sees(entry.key, entry.parent)
      if entry.hasLists {
        let wasAway = try !past.saw(entry.key, at: removal.revision)
        if isGone || wasAway { changes.hidesLists = true }
      }
      if !entry.isList {
        add(ItemID(removal.row), ListID(try access.id(of: removal.list)))
      } else if isGone, !changes.lists.contains(where: { $0.id == ListID(removal.row) }) {
        changes.lists.append(
          Activity.TouchedList(id: ListID(removal.row), revisionBefore: nil))
      }
    }
    changes.items = order.map { Activity.TouchedItem(id: $0, lists: items[$0] ?? []) }
    activity.content = .changes(changes)
    return activity
  }

  /// The steps after `since`; nil if there are more than `limit`.
  private func steps(since: Revision, limit: Int) throws(StorageError) -> Steps? {
    var steps = Steps()
    try db.sql(
      """
      SELECT list, kind, row, revision, CASE kind WHEN 1 THEN
        (SELECT newest FROM change
          WHERE change.inventory = ?1 AND change.revision = operation.revision) END, target
      FROM operation WHERE inventory = ?1 AND revision > ?2
      ORDER BY revision, sequence LIMIT ?3
      """
    ).bind(access.inventory).bind(since.number).bind(limit + 1).each { step in
      steps.count += 1
      let list: RowKey = step.key(0)
      steps.add(list: list)
      guard !step.isNull(2) else { return }
      switch step.int64(1) {
      case 0: steps.add(RowID(step.uuid(2)), at: step.int64(3))
      case 1:
        steps.removals.append(
          Removal(
            row: RowID(step.uuid(2)), list: list, revision: Revision(step.int64(3)),
            newest: step.keyOrNil(4) ?? .max,
            isList: step.int64OrNil(5).map { $0 != 0 }))
      default: break
      }
    }
    guard steps.count <= limit else { return nil }
    try db.sql(
      "SELECT row, revision FROM edit WHERE inventory = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3"
    ).bind(access.inventory).bind(since.number).bind(limit + 1 - steps.count).each { edit in
      steps.count += 1
      steps.add(RowID(edit.uuid(0)), at: edit.int64(1))
    }
    return steps.count <= limit ? steps : nil
  }

  /// The removed row, if it still has its id and the caller sees its present place, which may be the trash.
  private func entryInSight(of removal: Removal) throws(StorageError) -> Access.Entry? {
    guard let entry = try access.find(removal.row, upTo: removal.newest),
      try access.visibility(entry.key, entry.parent).isInSight
    else { return nil }
    return entry
  }

  private func hasArrivals(since: Revision) throws(StorageError) -> Bool {
    try db.sql("SELECT 1 FROM arrival WHERE inventory = ?1 AND revision > ?2 LIMIT 1")
      .bind(access.inventory).bind(since.number).hasRow()
  }

  private func requestID() throws(StorageError) -> String? {
    try db.sql("SELECT request_id FROM change WHERE inventory = ?1 AND revision = ?2")
      .bind(access.inventory).bind(access.revision.number).one { $0.string(0) }
  }

  private mutating func look(at list: RowKey, since: Revision) throws(StorageError) {
    let found = try db.sql(
      "SELECT id FROM row JOIN list USING (key) WHERE key = ?1 AND list.revision > ?2"
    ).bind(list).bind(since.number).one { ListID($0.uuid(0)) }
    guard let id = found, try sees(list) else { return }
    let isNew = try !past.saw(list, at: since)
    if isNew { changes.bringsLists = true }
    changes.lists.append(
      Activity.TouchedList(
        id: id, revisionBefore: isNew ? nil : try revision(of: list, before: since), isNew: isNew))
  }

  private func revision(of list: RowKey, before since: Revision) throws(StorageError) -> Revision {
    let before =
      try db.sql(
        "SELECT max(revision) FROM operation WHERE list = ?1 AND revision <= ?2"
      ).bind(list).bind(since.number).one { $0.int64OrNil(0) } ?? nil
    if let before { return Revision(before) }
    let arrival = try db.sql(
      "SELECT arrival.revision FROM list JOIN arrival ON top = list.arrival WHERE list.key = ?1"
    ).bind(list).one { Revision($0.int64(0)) }
    if let arrival { return arrival }
    let making =
      try db.sql(
        """
        SELECT revision, kind = 5 AND source = 0 FROM operation WHERE list = ?1
        ORDER BY revision, sequence LIMIT 1
        """
      ).bind(list).one { $0.bool(1) ? $0.int64(0) : nil } ?? nil
    if let making { return Revision(making) }
    // A log that has not been trimmed has the creation of every list except the root.
    return list == access.inventoryRoot && access.historyStart == Revision(0) ? Revision(0) : since
  }

  /// The list that contains an item, if the item's last change is one of these revisions. Nil for a list, and for an
  /// item that the caller does not see or did not see when it changed. Also nil for an item of a large import that
  /// reuses the id of a purged row: its last change is later.
  ///
  /// Sets `bringsLists` if the item has contents, and the caller did not see it at `since`.
  ///
  /// - Parameter since: the start of the span.
  private mutating func seenHome(
    of row: RowID, changedIn revisions: ClosedRange<Int64>, since: Revision
  ) throws(StorageError) -> ListID? {
    let found = try db.sql(
      """
      SELECT key, parent, revision, contents IS NOT NULL FROM row
      WHERE inventory = ?1 AND id = ?2 AND revision BETWEEN ?3 AND ?4 AND kind <> 0
      """
    ).bind(access.inventory).bind(row).bind(revisions.lowerBound).bind(revisions.upperBound)
      .one { ($0.key(0) as RowKey, $0.keyOrNil(1) as RowKey?, Revision($0.int64(2)), $0.bool(3)) }
    guard let (key, parent, revision, hasContents) = found, let list = parent, try sees(list),
      try past.saw(key, at: revision)
    else { return nil }
    if hasContents, try !past.saw(key, at: since) { changes.bringsLists = true }
    return ListID(try access.id(of: list))
  }

  private mutating func sees(_ key: RowKey, _ parent: RowKey?) throws(StorageError) -> Bool {
    if key == access.root { return true }
    guard let parent else { return false }
    return try sees(parent)
  }

  private mutating func sees(_ key: RowKey) throws(StorageError) -> Bool {
    if let known = seen[key] { return known }
    let isSeen = try access.ancestors.isLive(key)
    seen[key] = isSeen
    return isSeen
  }
}
