import HTTP
import Inventory
import JSON

extension Route {
  static let search = [
    Route(.get, "/v1/resolve", query: ["path"], APIHandler.resolve),
    Route(
      .get, "/v1/search", query: ["q", "listId", "kind", "tag", "limit", "offset"],
      APIHandler.search),
    Route(.get, "/v1/tags", query: ["prefix", "limit", "offset"], APIHandler.tags),
  ]
}

extension APIHandler {
  /// `GET /v1/resolve`
  func resolve(_ request: RequestContext) throws(Problem) -> Reply {
    let titles = try request.parameters { query in
      if query.text("path") == nil {
        query.note("path", "Send the titles from the root list down: ?path=/Home/Kitchen.")
      }
      return query.text("path")?.split(separator: "/").map(String.init)
    }
    let context = request.context
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let step = try snapshot.resolve(path: titles)
      return try context.object { (writer) throws(InventoryError) in
        writer.stepMembers(step)
        if step.isList {
          let list = try snapshot.list(.id(ListID(step.id)))
          writer.object("list") { $0.listMembers(list, for: context) }
        } else {
          let item = try snapshot.item(ItemID(step.id))
          writer.object("item") { $0.itemMembers(item) }
        }
      }
    }
  }

  /// `GET /v1/search`
  func search(_ request: RequestContext) throws(Problem) -> Reply {
    let search = try request.parameters { $0.search }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      var writer = JSONWriter(capacity: 4096)
      var page = Page(PageWindow(limit: search.limit), first: search.offset)
      try snapshot.search(search) { total in
        page.count = total.count
        page.first = min(search.offset, total.count)
        writer.beginObject()
        writer.member("count", total.count)
        writer.member("truncated", total.isTruncated)
        writer.key("hits")
        writer.beginArray()
      } visit: { hit in
        writer.hit(hit)
        page.shown += 1
        return writer.count < RequestContext.largestPage
      }
      writer.endArray()
      writer.endObject()
      return request.response(page, writer.finish())
    }
  }

  /// `GET /v1/tags`
  func tags(_ request: RequestContext) throws(Problem) -> Reply {
    let (prefix, offset, limit) = try request.parameters { query in
      (query.searchText("prefix") ?? "", query.offset, query.limit)
    }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.tags(prefix: prefix, offset: offset, limit: limit)
      let page = Page(
        PageWindow(limit: limit), first: min(offset, found.count), shown: found.tags.count,
        count: found.count)
      let body = JSONWriter.bytes(capacity: 64 + 64 * found.tags.count) { writer in
        writer.collection("tags", found.tags, count: found.count) { writer, entry in
          writer.member("tag", entry.tag)
          writer.member("count", entry.count)
        }
      }
      return request.response(page, body)
    }
  }
}

extension JSONWriter {
  /// Writes a search result with its place and a snippet around the matches.
  fileprivate mutating func hit(_ hit: SearchHit) {
    let row = Row(index: hit.place.index ?? RowIndex(0), content: hit.content)
    let isList = if case .list = hit.content { true } else { false }
    object { writer in
      writer.member("type", isList ? "list" : "item")
      writer.member("id", row.id)
      writer.member("title", row.title)
      writer.member("detail", row.detail)
      writer.member("listId", hit.place.listID)
      writer.member("index", hit.place.index?.value)
      writer.path("path", hit.place.path)
      writer.objects("snippet", hit.snippet) { writer, piece in
        writer.member("text", piece.text)
        writer.member("match", piece.isMatch)
      }
      switch hit.content {
      case .list(let list):
        writer.key("list")
        writer.summary(list)
      case .item(let item):
        writer.key("item")
        writer.summary(item)
      }
    }
  }
}
