import Inventory

/// Decides whether a caller sees a row now and saw it at an earlier revision.
///
/// A caller may see only one list. If a row was moved there from elsewhere, the caller must not see or undo its earlier
/// changes.
struct PastSight {
  private let access: Access
  /// The steps that removed rows from lists, as far as they have been read.
  private(set) var departures: Departures?
  /// Departures that were read from an earlier state.
  private let known: Departures?
  private let bound: Int
  /// For each row: the last revision that placed it or a row that contains it.
  private var lastPlaced: [Int64: Revision] = [:]

  struct Departures: Sendable {
    fileprivate var lists: [RowID: [(revision: Revision, list: Int64)]] = [:]
    /// The steps after this revision have been read.
    fileprivate var floor: Revision
    /// The steps up to this revision have been read.
    fileprivate var end = Revision(0)
  }

  /// The maximum number of the log's last steps that are read. Changes before them count as unseen if a row has moved
  /// since.
  private static let most = Activity.maximumSteps

  /// - Parameter bound: if more steps must be read, `boundExceeded` is thrown.
  init(_ access: Access, bound: Int = .max, known: Departures? = nil) {
    self.access = access
    self.bound = bound
    self.known = known
  }

  mutating func sees(_ key: Int64, at revision: Revision) throws(StorageError) -> Bool {
    guard access.root != access.inventoryRoot else {
      return isInSight(try access.visibility(of: key))
    }
    var visited: Set<Int64> = []
    return try sees(key, revision, &visited)
  }

  /// - Parameter visited: rows that are being checked, or were seen.
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
          -- Like `AncestorCache`: rows of a purged list belong to the list above it.
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

  /// The lists that a row left after a revision; nil if the steps that were read do not go back so far.
  private mutating func lists(
    left row: RowID, after revision: Revision
  ) throws(StorageError) -> [Int64]? {
    if departures == nil { departures = try readDepartures() }
    guard let departures, revision >= departures.floor else { return nil }
    return departures.lists[row, default: []].filter { $0.revision > revision }.map(\.list)
  }

  private func readDepartures() throws(StorageError) -> Departures {
    var departures = known ?? Departures(floor: access.historyStart)
    let most = bound < Self.most ? bound + 1 : Self.most
    var count = 0
    try access.db.sql(
      """
      SELECT revision, kind, list, row FROM operation WHERE inventory = ?1 AND revision > ?3
      ORDER BY revision DESC, sequence DESC LIMIT ?2
      """
    ).bind(access.inventory).bind(most).bind(departures.end.number).each { step in
      count += 1
      let revision = Revision(step.int64(0))
      // Other steps of this revision may not have been read.
      if count == Self.most { departures.floor = revision }
      guard step.int64(1) == 1, !step.isNull(3) else { return }
      departures.lists[RowID(step.uuid(3)), default: []].append((revision, step.int64(2)))
    }
    guard count <= bound else { throw .refused(.boundExceeded) }
    departures.end = access.revision
    return departures
  }
}
