import Inventory

/// Whether a caller sees something now, and saw it at an earlier revision already.
///
/// A caller may see one list only. Rows are moved into it from elsewhere. What was done to them there is not to be shown, and not to be undone.
struct PastSight {
  private let access: Access
  /// The steps by which rows left lists, as far as they have been read.
  private var departures: Departures?
  /// Of a row and all that it is in, the last revision that gave one its place.
  private var lastPlaced: [Int64: Revision] = [:]

  private struct Departures {
    var lists: [RowID: [(revision: Revision, list: Int64)]] = [:]
    /// Those after this revision have been read.
    var floor: Revision
  }

  /// Of the log's last steps so many are read. A row that was moved since an older change was not seen at that time.
  private static let most = Activity.maximumSteps

  init(_ access: Access) { self.access = access }

  mutating func sees(_ key: Int64, at revision: Revision) throws(StorageError) -> Bool {
    guard access.root != access.inventoryRoot else {
      return isInSight(try access.visibility(of: key))
    }
    var visited: Set<Int64> = []
    return try sees(key, revision, &visited)
  }

  /// - Parameter visited: what is being looked at, or has been seen.
  private mutating func sees(
    _ key: Int64, _ revision: Revision, _ visited: inout Set<Int64>
  ) throws(StorageError) -> Bool {
    if let last = lastPlaced[key], last <= revision { return true }
    guard isInSight(try access.visibility(of: key)) else { return false }
    var last = Revision(0)
    var next = key
    while next != access.root, visited.insert(next).inserted {
      let found = try access.db.sql(
        """
        SELECT id, coalesce(placed, 0),
          -- As the walks of `AncestorCache`: what was in a purged list belongs to what held that one.
          coalesce(parent, (SELECT list FROM trash WHERE trash.row = row.key),
            (SELECT nullif(home, row.key) FROM purge WHERE purge.row = row.key))
        FROM row WHERE key = ?1
        """
      ).bind(next).one { (RowID($0.uuid(0)), Revision($0.int64(1)), $0.int64OrNil(2)) }
      guard let (id, placed, parent) = found, let parent else { return false }
      last = max(last, placed)
      if placed > revision {
        guard let lists = try lists(left: id, after: revision) else { return false }
        for list in lists {
          guard try sees(list, revision, &visited) else { return false }
        }
      }
      next = parent
    }
    if next == access.root { lastPlaced[key] = last }
    return true
  }

  private func isInSight(_ visibility: Access.Visibility) -> Bool {
    switch visibility {
    case .live, .inTrash: true
    case .purged, .outside, .arriving: false
    }
  }

  /// The lists that a row left after a revision; nil if the log's last steps do not reach back to it.
  private mutating func lists(
    left row: RowID, after revision: Revision
  ) throws(StorageError) -> [Int64]? {
    if departures == nil { departures = try readDepartures() }
    guard let departures, revision >= departures.floor else { return nil }
    return departures.lists[row, default: []].filter { $0.revision > revision }.map(\.list)
  }

  private func readDepartures() throws(StorageError) -> Departures {
    var departures = Departures(floor: access.historyStart)
    var count = 0
    try access.db.sql(
      """
      SELECT revision, kind, list, row FROM operation WHERE inventory = ?1
      ORDER BY revision DESC, sequence DESC LIMIT ?2
      """
    ).bind(access.inventory).bind(Self.most).each { step in
      count += 1
      let revision = Revision(step.int64(0))
      // The rest of its revision may not have been read.
      if count == Self.most { departures.floor = revision }
      guard step.int64(1) == 1, !step.isNull(3) else { return }
      departures.lists[RowID(step.uuid(3)), default: []].append((revision, step.int64(2)))
    }
    return departures
  }
}
