/// What a mirror knows of a list at one revision.
struct MirroredList {
  private(set) var list: Rowhouse.List
  private(set) var revision: Int
  /// Without the pinned last row.
  private(set) var rows: [Row] = []
  private var sentinel: Row?
  private(set) var isWhole = false

  init(_ list: Rowhouse.List) {
    self.list = list
    revision = list.revision
  }

  /// All rows that a table shows.
  var shownRows: [Row] { rows + (sentinel.map { [$0] } ?? []) }

  mutating func append(_ page: RowPage) {
    for row in page.rows {
      if row.isSentinel { sentinel = row } else { rows.append(row) }
    }
    isWhole = rows.count >= page.count || page.rows.isEmpty
  }

  /// - Returns: what a table is to do; nil where the changes do not fit.
  mutating func apply(_ changes: Delta.Changes) -> ListBatch? {
    guard changes.apply(to: &rows) else { return nil }
    revision = changes.toRevision
    // It stands behind the last row, wherever that is now.
    sentinel?.index = changes.countAfter
    return ListBatch(changes)
  }

  mutating func takeFields(_ changed: Delta.ChangedFields?) {
    list.revision = revision
    list.rowCount = rows.count
    guard let changed else { return }
    if let title = changed.title { list.title = title }
    if let kind = changed.itemKind { list.itemKind = kind }
    if let label = changed.deleteLabel { list.deleteLabel = label }
    if let parent = changed.parentID { list.parentID = parent }
  }
}
