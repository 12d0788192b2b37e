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
    var page = Page(view.window, first: found.first, count: found.matched)
    var writer = JSONWriter(capacity: 512 + 400 * found.rows.count)
    let currency = try view.currency(in: snapshot)
    writer.beginView(found, view, currency, in: context.language)
    for row in found.rows {
      writer.row(row, permissions)
      page.shown += 1
      page.lastRow = row.id
      guard writer.count < Self.largestPage else { break }
    }
    if showsSentinel, page.isLast, found.list.details.sentinel.isVisible {
      writer.sentinel(of: found.list, in: context.language)
    }
    writer.endArray()
    writer.endObject()
    return response(
      page, writer.finish(), tag: tag(of: view, at: found.list.revision, currency))
  }

  /// The entity tag of rows without quotes, such as `41-en-EUR`. Nil for a view that can change while the list's
  /// revision does not.
  ///
  /// - Parameters:
  ///   - view: nil for the rows as they are.
  ///   - currency: the currency in the titles of the view's sections, which changes without a revision.
  func tag(of view: RowView?, at revision: Revision, _ currency: Currency?) -> String? {
    guard view?.followsRevision ?? true else { return nil }
    return context.tag(revision) + (currency.map { "-\($0)" } ?? "")
  }
}

extension RowView {
  /// The currency in the titles of its sections. Nil for US dollars, and without sections.
  func currency(in snapshot: any Snapshot) throws(InventoryError) -> Currency? {
    threshold == nil ? nil : try snapshot.appearance().appearance.currency
  }
}

extension JSONWriter {
  /// Opens a page of a view up to its first row.
  fileprivate mutating func beginView(
    _ page: PageOfRows, _ view: RowView, _ currency: Currency?, in language: Language
  ) {
    beginObject()
    member("dir", language.texts.direction.rawValue)
    member("listId", page.list.id)
    member("revision", page.list.revision.number)
    member("count", page.list.rowCount)
    member("matched", page.matched)
    if let threshold = view.threshold {
      let first = page.firstSection
      let sections = [
        (title: language.texts.worthMore(threshold, currency), count: first, first: 0),
        (title: language.texts.remainder, count: page.matched - first, first: first),
      ]
      objects("sections", sections) { writer, section in
        writer.member("title", section.title)
        writer.member("count", section.count)
        writer.member("first", section.first)
      }
    } else {
      key("sections")
      null()
    }
    key("rows")
    beginArray()
  }
}
