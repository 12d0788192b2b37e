/// What a mirror knows of a list at one revision.
struct MirroredList {
  private(set) var list: Rowhouse.List
  /// Without the pinned last row.
  private var rows: [Row]
  private var sentinel: Row?

  init(_ list: Rowhouse.List, rows: [Row], sentinel: Row?) {
    self.list = list
    self.rows = rows
    self.sentinel = sentinel
  }

  var revision: Int { list.revision }

  /// All rows that a table shows.
  var shownRows: [Row] { rows + (sentinel.map { [$0] } ?? []) }

  /// - Returns: what a table is to do; nil where the changes do not tell all that shows, or do not fit.
  mutating func apply(_ changes: Delta.Changes) -> ListBatch? {
    guard changes.tellAll, changes.apply(to: &rows) else { return nil }
    // It stands behind the last row, wherever that is now.
    sentinel?.index = changes.countAfter
    list.take(changes)
    return ListBatch(changes)
  }
}

/// A list while it is read, page by page, all of it at one revision.
struct UnreadList {
  private(set) var list: Rowhouse.List
  /// Without the pinned last row; nil for one that is yet to be read.
  private var rows: [Row?]
  /// All before it have been read.
  private var next = 0
  private var sentinel: Row?
  /// Whether a page has told what stands last.
  private var hasEnd = false

  init(_ list: Rowhouse.List) {
    self.list = list
    rows = Array(repeating: nil, count: list.rowCount)
  }

  /// Where the first row stands that is to be read.
  var offset: Int { next }

  /// The list, once it has been read.
  var whole: MirroredList? {
    guard hasEnd, next == rows.count else { return nil }
    return MirroredList(list, rows: rows.compactMap(\.self), sentinel: sentinel)
  }

  /// - Parameter page: from `offset` on, at the list's revision.
  /// - Returns: false where it does not fit.
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
    hasEnd = hasEnd || next == rows.count
    let before = next
    next = rows[before...].firstIndex { $0 == nil } ?? rows.count
    return next > before || hasEnd
  }

  /// Brings what has been read to a later revision; what is yet to be read may stand elsewhere then.
  ///
  /// - Returns: false where it has to be read from the beginning.
  mutating func catchUp(_ changes: Delta.Changes) -> Bool {
    guard changes.tellAll, changes.apply(to: &rows) else { return false }
    sentinel?.index = changes.countAfter
    list.take(changes)
    next = rows.firstIndex { $0 == nil } ?? rows.count
    return true
  }
}

extension Delta.Changes {
  /// Whether nothing shows besides: how the pinned last row looks, and what may be done to each row, is in
  /// the rows and in no delta.
  fileprivate var tellAll: Bool { list?.sentinel == nil && list?.can == nil }
}

extension Rowhouse.List {
  fileprivate mutating func take(_ changes: Delta.Changes) {
    revision = changes.toRevision
    rowCount = changes.countAfter
    guard let changed = changes.list else { return }
    if let title = changed.title { self.title = title }
    if let kind = changed.itemKind { itemKind = kind }
    if let label = changed.deleteLabel { deleteLabel = label }
    if let parent = changed.parentID { parentID = parent }
  }
}
