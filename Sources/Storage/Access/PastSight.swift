import Inventory

/// Decides whether a caller who sees a row now has seen it at all times since a revision.
///
/// Some callers see only one list. If a row was moved there from elsewhere, the caller must not see or undo its earlier
/// changes.
struct PastSight {
  private let access: Access
  /// The number of steps that may still be read.
  private var bound: Int
  /// The number of rows that may still be read.
  private var rowBound: Int
  private var placements: [RowKey: Placement] = [:]
  /// For each row: the last revision that placed it or a row that contains it.
  private var lastPlaced: [RowKey: Revision] = [:]
  private let memory: Memory

  /// What was found out, for all rows that are looked up in one state. Rows in one list share most of it.
  final class Memory {
    /// The rows that the caller has seen at all times since a revision.
    fileprivate var seen: [RowKey: Revision] = [:]
    /// The rows that the caller has not seen at all times since a revision. This holds for earlier ones too.
    fileprivate var unseen: [RowKey: Revision] = [:]

    /// Call it after moving a row.
    func forget() { (seen, unseen) = ([:], [:]) }
  }

  private struct Placement {
    let id: RowID
    /// The revision that gave the row its place.
    let placed: Revision
    /// The list or item that contains it, or from which it was deleted.
    let parent: RowKey?
  }

  /// A step of the log that removed a row from a list, or put a row that existed before into one.
  private struct Step {
    let revision: Revision
    let list: RowKey
    let isRemoval: Bool
  }

  /// The maximum number of a row's last steps that are read. Changes before them count as unseen.
  private static let most = Activity.maximumSteps

  /// - Parameters:
  ///   - bound: if more steps must be read, `boundExceeded` is thrown.
  ///   - rowBound: the same for rows.
  init(_ access: Access, bound: Int = .max, rowBound: Int = .max) {
    self.access = access
    memory = access.past
    self.bound = bound
    self.rowBound = rowBound
  }

  /// Whether a caller who sees a row now has seen it at all times since a revision. Reads nothing for a caller who sees
  /// the whole inventory.
  mutating func saw(_ key: RowKey, at revision: Revision) throws(StorageError) -> Bool {
    if access.root == access.inventoryRoot || key == access.root { return true }
    return try sees(key, at: revision)
  }

  /// Whether the caller sees a row now and, if the caller sees only one list, has seen it at all times since a
  /// revision.
  mutating func sees(_ key: RowKey, at revision: Revision) throws(StorageError) -> Bool {
    guard access.root != access.inventoryRoot else {
      return try access.visibility(of: key).isInSight
    }
    if let known = memory.unseen[key], revision <= known { return false }
    var visited: [RowKey: Revision] = [:]
    guard try sees(key, revision, &visited) else {
      memory.unseen[key] = revision
      return false
    }
    memory.seen.merge(visited) { min($0, $1) }
    return true
  }

  /// Whether the caller sees a row now and has seen it at all times since a revision.
  ///
  /// - Parameter visited: the rows checked so far, each with the revision at which the checked time begins.
  private mutating func sees(
    _ key: RowKey, _ revision: Revision, _ visited: inout [RowKey: Revision]
  ) throws(StorageError) -> Bool {
    if let last = lastPlaced[key], last <= revision { return true }
    guard try access.visibility(of: key).isInSight else { return false }
    var last = Revision(0)
    var next = key
    // A list must have been in sight since the row came into it.
    var since = revision
    while next != access.root, visited[next].map({ since < $0 }) ?? true {
      if let known = memory.seen[next], known <= since { return true }
      visited[next] = since
      guard let row = try placement(of: next), let parent = row.parent else { return false }
      last = max(last, row.placed)
      if row.placed > since {
        guard let stays = try stays(of: row.id, next, in: parent, since: since) else {
          return false
        }
        for stay in stays.past {
          guard try sees(stay.list, stay.since, &visited) else { return false }
        }
        since = stays.present
      }
      next = parent
    }
    if next == access.root { lastPlaced[key] = last }
    return true
  }

  private mutating func placement(of key: RowKey) throws(StorageError) -> Placement? {
    if let known = placements[key] { return known }
    guard rowBound > 0 else { throw .refused(.boundExceeded) }
    rowBound -= 1
    let found = try access.db.sql(
      """
      SELECT id, coalesce(placed, 0),
        -- Like `AncestorCache`: rows of a purged list belong to the list above it.
        coalesce(parent, (SELECT list FROM trash WHERE trash.row = row.key),
          (SELECT nullif(home, row.key) FROM purge WHERE purge.row = row.key))
      FROM row WHERE key = ?1
      """
    ).bind(key).one {
      Placement(
        id: RowID($0.uuid(0)), placed: Revision($0.int64(1)), parent: $0.keyOrNil(2))
    }
    placements[key] = found
    return found
  }

  /// The lists that a row has been in since a revision.
  ///
  /// Example: row A is in list X at revision 10. It is moved to list Y by revision 12, deleted by 15, and restored to Y
  /// by 17. Since revision 10, `past` is X since 10 and Y since 12, and `present` is 17.
  ///
  /// - Returns: nil if the steps that may be read do not go back so far. Otherwise:
  ///   - `past` has the lists that the row has left since `revision`, each with the revision of the row's arrival.
  ///   - `present` is the revision of the row's arrival in `parent`, where it is now.
  ///   - If the row arrived in a list before `revision`, the revision is `revision`.
  ///   - If the row was in the trash at `revision`, `past` also has the list from which it had been deleted, with
  ///     `revision`.
  ///   - If the row was in no list at `revision` and its deletion is not found, all revisions are `revision`.
  private mutating func stays(
    of row: RowID, _ key: RowKey, in parent: RowKey, since revision: Revision
  ) throws(StorageError) -> (past: [(list: RowKey, since: Revision)], present: Revision)? {
    guard revision >= access.historyStart else { return nil }
    let later = try steps(of: row, key, after: revision)
    guard later.count < Self.most else { return nil }
    var past: [(list: RowKey, since: Revision)] = []
    var arrivals: [RowKey: Revision] = [:]
    var left: Set<RowKey> = []
    for step in later {
      if step.isRemoval {
        // Its first stay in a list counts: who saw the list since then saw it later too.
        if left.insert(step.list).inserted {
          past.append((step.list, arrivals[step.list] ?? revision))
        }
      } else {
        arrivals[step.list] = step.revision
      }
    }
    let present = arrivals[parent] ?? revision
    let isNew = try access.newest(at: revision).map { key > $0 } ?? false
    if !isNew {
      guard let first = later.first, !first.isRemoval else { return (past, present) }
      // The row was in the trash at that time.
      let deletion = try steps(of: row, key, after: access.historyStart, upTo: revision)
        .last { $0.isRemoval }
      if let deletion { return ([(deletion.list, revision)] + past, present) }
    }
    return (past.map { ($0.list, revision) }, revision)
  }

  /// The last steps of a row in a span, oldest first: at most `most`.
  private mutating func steps(
    of row: RowID, _ key: RowKey, after revision: Revision, upTo end: Revision? = nil
  ) throws(StorageError) -> [Step] {
    // A change removes a row from one list before it inserts the row into another. A row with a higher key than the
    // newest one after a step is a later one with the same id. The plus sign keeps SQLite from looking through all steps of
    // the span: https://www.sqlite.org/optoverview.html (unary plus).
    let steps = try access.db.sql(
      """
      SELECT revision, list, kind FROM operation
      WHERE row = ?1 AND revision > ?2 AND revision <= ?3
        AND (kind = 1 OR kind = 0 AND source IS NULL)
        AND +inventory = ?4 AND ?5 <= coalesce((SELECT newest FROM change
          WHERE change.inventory = operation.inventory AND change.revision = operation.revision), ?5)
      ORDER BY revision DESC, kind LIMIT ?6
      """
    ).bind(row).bind(revision.number).bind((end ?? access.revision).number)
      .bind(access.inventory).bind(key).bind(min(Self.most, bound < .max ? bound + 1 : .max))
      .all {
        Step(revision: Revision($0.int64(0)), list: $0.key(1), isRemoval: $0.int64(2) == 1)
      }
    guard steps.count <= bound else { throw .refused(.boundExceeded) }
    bound -= steps.count
    return steps.reversed()
  }
}
