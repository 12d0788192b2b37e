import Inventory
import SQL

/// Reads entries of the log as one caller sees them.
struct LogReader {
  let access: Access
  /// The ids of the lists found so far.
  private var ids: [RowKey: ListID] = [:]
  private var past: PastSight
  /// The number of steps of changes read so far.
  private var steps = 0
  /// The approximate bytes of JSON for the changes read so far.
  private var bytes = 0
  /// The maximum `work` of a read.
  private let bound: Int
  /// The work so far. Each step of a change counts as one, and each list or row looked up as four.
  private var work = 0

  /// - Parameter bound: the maximum work; beyond it a read throws `boundExceeded`.
  init(_ access: Access, bound: Int = .max) {
    self.access = access
    past = PastSight(access)
    self.bound = bound
  }

  /// Whether the page has no room for another change.
  var isFull: Bool { steps >= Limits.stepsOnPage || bytes >= Limits.bytesOfLogPage }

  private mutating func lookUp(_ count: Int) throws(StorageError) {
    work += 4 * count
    guard work <= bound else { throw .refused(.boundExceeded) }
  }

  /// Nil if the change touched nothing that the caller sees.
  mutating func change(_ revision: Revision) throws(StorageError) -> LoggedChange? {
    guard let lists = try lists(touchedBy: revision) else { return nil }
    return try entry(revision, lists)
  }

  /// The changes after `floor` and up to `top` that the caller sees, latest first.
  ///
  /// Ends early if the page has checked `Limits.changesOnPage` changes, or is full.
  mutating func page(
    after floor: Revision, upTo top: Revision, offset: Int, limit: Int
  ) throws(StorageError) -> PageOfChanges {
    var page = PageOfChanges(count: nil, changes: [], next: nil)
    var count = 0
    var looked = 0
    var revision = top
    while revision > floor, looked < Limits.changesOnPage, !isFull {
      if let lists = try lists(touchedBy: revision) {
        count += 1
        if page.changes.count < limit, count > offset,
          let change = try entry(revision, lists)
        {
          page.changes.append(change)
        }
      }
      looked += 1
      revision = Revision(revision.number - 1)
    }
    if revision <= floor { page.count = count }
    if count > offset, count - offset > page.changes.count {
      page.next = page.changes.last?.revision
    } else if revision > floor {
      page.next = Revision(revision.number + 1)
    }
    return page
  }

  private mutating func entry(
    _ revision: Revision, _ lists: [ListID]
  ) throws(StorageError) -> LoggedChange? {
    let subjects = try subjects(of: revision)
    bytes += lists.count * 40 + subjects.reduce(512) { $0 + 80 + $1.title.utf8.count }
    let isWithinSight = try isWithinSight(revision)
    return try access.db.sql(
      """
      SELECT at, actor, request_id, action, undoable FROM change
      WHERE inventory = ?1 AND revision = ?2
      """
    ).bind(access.inventory).bind(revision.number).one { row in
      LoggedChange(
        revision: revision, at: row.time(0), actor: row.string(1),
        requestID: row.string(2), action: row.string(3), lists: lists, subjects: subjects,
        isUndoable: row.bool(4) && isWithinSight)
    }
  }

  /// The ids of the touched lists that the caller sees; nil if the caller sees nothing of the change.
  private mutating func lists(touchedBy revision: Revision) throws(StorageError) -> [ListID]? {
    var keys: Set<RowKey> = []
    try access.db.sql("SELECT list FROM operation WHERE inventory = ?1 AND revision = ?2")
      .bind(access.inventory).bind(revision.number).eachWhile {
        keys.insert($0.key(0))
        steps += 1
        work += 1
        return work <= bound
      }
    try lookUp(keys.count)
    var lists: [ListID] = []
    for key in keys { if let list = try list(key, at: revision) { lists.append(list) } }
    if lists.isEmpty, access.root != access.inventoryRoot, try !hasVisibleEdit(revision) {
      return nil
    }
    return lists.sorted { $0.uuid < $1.uuid }
  }

  private mutating func list(
    _ key: RowKey, at revision: Revision
  ) throws(StorageError) -> ListID? {
    guard try past.sees(key, at: revision) else { return nil }
    if let known = ids[key] { return known }
    let id = ListID(try access.id(of: key))
    ids[key] = id
    return id
  }

  private mutating func hasVisibleEdit(_ revision: Revision) throws(StorageError) -> Bool {
    let edits = try access.db.sql(
      "SELECT row, min(field) FROM edit WHERE inventory = ?1 AND revision = ?2 GROUP BY row"
    ).bind(access.inventory).bind(revision.number).all { (RowID($0.uuid(0)), $0.string(1)) }
    steps += edits.count
    guard !edits.isEmpty else { return false }
    let newest = try access.newest(at: revision) ?? .max
    for (row, field) in edits {
      // An item may have got the id of a purged list.
      guard let entry = try access.find(row, upTo: newest),
        entry.isList == (ListField(rawValue: field) != nil)
      else { continue }
      if try past.sees(entry.key, at: revision) { return true }
    }
    return false
  }

  /// Whether the caller sees everything that the change did. An undo requires that.
  private mutating func isWithinSight(_ revision: Revision) throws(StorageError) -> Bool {
    guard access.root != access.inventoryRoot else { return true }
    // Leaves out reloads: the list above the caller's root reloads the root's row.
    let keys = try access.db.sql(
      "SELECT DISTINCT list FROM operation WHERE inventory = ?1 AND revision = ?2 AND kind <> 3"
    ).bind(access.inventory).bind(revision.number).all { $0.key(0) as RowKey }
    for key in keys { if try list(key, at: revision) == nil { return false } }
    let rows = try access.db.sql(
      "SELECT DISTINCT row FROM edit WHERE inventory = ?1 AND revision = ?2"
    ).bind(access.inventory).bind(revision.number).all { RowID($0.uuid(0)) }
    let newest = try access.newest(at: revision) ?? .max
    for row in rows {
      guard let entry = try access.find(row, upTo: newest),
        try past.sees(entry.key, at: revision)
      else { return false }
    }
    return true
  }

  /// The rows of `LoggedChange.subjects` that the caller sees.
  private mutating func subjects(of revision: Revision) throws(StorageError) -> [PathStep] {
    // The creation of a list is logged as a step on its fields that names no field.
    let ids = try access.db.sql(
      """
      WITH step AS MATERIALIZED (
        SELECT list, kind, row, source FROM operation WHERE inventory = ?1 AND revision = ?2
        ORDER BY sequence LIMIT ?3)
      SELECT row FROM step WHERE kind IN (0, 1, 2)
        AND list NOT IN (SELECT list FROM step WHERE kind = 5 AND source = 0)
      UNION SELECT id FROM step JOIN row ON row.key = step.list WHERE step.kind = 4
      UNION SELECT row FROM (
        SELECT row FROM edit WHERE inventory = ?1 AND revision = ?2 LIMIT ?3) AS edited
      ORDER BY 1
      """
    ).bind(access.inventory).bind(revision.number).bind(Limits.stepsNamed)
      .all { RowID($0.uuid(0)) }
    var subjects: [PathStep] = []
    let newest = try access.newest(at: revision) ?? .max
    for id in ids where subjects.count < Limits.subjectsOfChange {
      try lookUp(1)
      guard let entry = try access.find(id, upTo: newest),
        try past.sees(entry.key, at: revision)
      else { continue }
      subjects.append(try access.db.step(entry.key))
    }
    return subjects
  }
}
