import HTTP
import Inventory
import JSON

extension RequestContext {
  /// A page of a view of a list's rows. The last page includes the sentinel.
  func rows(
    of list: ListReference, _ view: RowView, showsSentinel: Bool, _ snapshot: any Snapshot
  ) throws(InventoryError) -> Response {
    let found = try snapshot.rows(of: list, view)
    // An index in the view is not an index in the list, so rows cannot be moved here.
    let permissions = found.list.permissions(for: caller.role).subtracting(.move)
    var page = Page(first: found.first, shown: 0, count: found.matched, limit: view.window.limit)
    let isAnchored = if case .after = view.window.start { true } else { false }
    var writer = JSONWriter(capacity: 512 + 400 * found.rows.count)
    writer.beginView(found, view, in: context.language)
    for row in found.rows {
      writer.row(row, permissions)
      page.shown += 1
      if isAnchored { page.lastRow = row.id }
      guard writer.count < Self.largestPage else { break }
    }
    if showsSentinel, page.isLast, found.list.details.sentinel.isVisible {
      writer.sentinel(of: found.list, in: context.language)
    }
    writer.endArray()
    writer.endObject()
    let body = writer.finish()
    var response =
      view.followsRevision
      ? context.response(json: body, revision: found.list.revision) : context.response(json: body)
    response.fields.append("Link", page.links(for: head, below: context.base))
    return response
  }
}

extension JSONWriter {
  /// Opens a page of a view up to its first row.
  fileprivate mutating func beginView(
    _ page: PageOfRows, _ view: RowView, in language: Language
  ) {
    beginObject()
    member("dir", language.texts.direction.rawValue)
    member("listId", page.list.id)
    member("revision", page.list.revision.number)
    member("count", page.list.rowCount)
    member("matched", page.matched)
    key("sections")
    if let threshold = view.threshold {
      beginArray()
      section(language.texts.worthMore(threshold), page.firstSection, from: 0)
      section(
        language.texts.remainder, page.matched - page.firstSection, from: page.firstSection)
      endArray()
    } else {
      null()
    }
    key("rows")
    beginArray()
  }

  /// - Parameter first: the index in the view of the section's first row.
  private mutating func section(_ title: String, _ count: Int, from first: Int) {
    beginObject()
    member("title", title)
    member("count", count)
    member("first", first)
    endObject()
  }
}
