/// The state of a mirrored list at one revision.
struct MirroredList {
  private(set) var list: Rowhouse.List
  /// The rows, without the pinned last one.
  private(set) var rows: [Row]
  private(set) var sentinel: Row?

  init(list: Rowhouse.List, rows: [Row], sentinel: Row?) {
    self.list = list
    self.rows = rows
    self.sentinel = sentinel
  }

  var revision: Int { list.revision }

  /// All rows that a table shows.
  var shownRows: [Row] { rows + (sentinel.map { [$0] } ?? []) }

  /// - Returns: The batch for a table; nil if the changes do not fit, or do not show everything that changed.
  mutating func apply(_ changes: Delta.Changes) -> ListBatch? {
    guard changes.tellAll, changes.apply(to: &rows) else { return nil }
    // The pinned row stays after the last row.
    sentinel?.index = changes.countAfter
    list.take(changes)
    return ListBatch(changes)
  }
}

/// A list that is being read page by page, at one revision.
struct UnreadList {
  private(set) var list: Rowhouse.List
  /// The rows, without the pinned last one; nil for rows not read yet.
  private var rows: [Row?]
  /// The index of the first row to read. All rows before it have been read.
  private(set) var offset = 0
  private var sentinel: Row?
  /// Whether a page reached the last row.
  private var hasEnd = false

  init(_ list: Rowhouse.List) {
    self.list = list
    rows = Array(repeating: nil, count: list.rowCount)
  }

  /// The complete list; nil while rows are missing.
  var whole: MirroredList? {
    guard hasEnd, offset == rows.count else { return nil }
    return MirroredList(list: list, rows: rows.compactMap(\.self), sentinel: sentinel)
  }

  /// - Parameter page: The page at `offset`, at the list's revision.
  /// - Returns: False if the page does not fit.
  mutating func take(_ page: RowPage) -> Bool {
    guard page.count == rows.count else { return false }
    for row in page.rows {
      if row.isSentinel {
        sentinel = row
      } else if rows.indices.contains(row.index) {
        rows[row.index] = row
        hasEnd = hasEnd || row.index == rows.count - 1
      } else {
        return false
      }
    }
    hasEnd = hasEnd || offset == rows.count
    let before = offset
    offset = rows[before...].firstIndex { $0 == nil } ?? rows.count
    return offset > before || hasEnd
  }

  /// Updates the rows read so far to a later revision. Rows not read yet may have other indices then.
  ///
  /// - Returns: False if the list must be read from the beginning.
  mutating func catchUp(_ changes: Delta.Changes) -> Bool {
    guard changes.tellAll, changes.apply(to: &rows) else { return false }
    sentinel?.index = changes.countAfter
    list.take(changes)
    offset = rows.firstIndex { $0 == nil } ?? rows.count
    return true
  }
}

extension Delta.Changes {
  /// Whether the delta shows everything that changed. Changes of the pinned last row and of permissions affect rows
  /// that no delta has.
  fileprivate var tellAll: Bool { list?.sentinel == nil && list?.can == nil }
}

extension Rowhouse.List {
  /// Takes over the list's own changes.
  mutating func take(_ changes: Delta.Changes) {
    revision = changes.toRevision
    rowCount = changes.countAfter
    guard let changed = changes.list else { return }
    if let title = changed.title { self.title = title }
    if let kind = changed.itemKind { itemKind = kind }
    if let label = changed.deleteLabel { deleteLabel = label }
    if let parent = changed.parentID { parentID = parent }
    if let glyph = changed.glyph { self.glyph = glyph }
    if let colour = changed.colour { self.colour = colour }
    if let sentinel = changed.sentinel { self.sentinel = sentinel }
    if let permissions = changed.permissions { self.permissions = permissions }
    if let can = changed.can { self.can = can }
  }
}
