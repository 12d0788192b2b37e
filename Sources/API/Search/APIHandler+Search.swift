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
      var writer = JSONWriter(capacity: 1024)
      writer.beginObject()
      writer.member("id", step.id)
      writer.member("title", step.title)
      writer.key("type")
      writer.type(step)
      if step.isList {
        writer.key("list")
        writer.list(try snapshot.list(.id(ListID(step.id))), for: context)
      } else {
        writer.key("item")
        writer.item(try snapshot.item(ItemID(step.id)))
      }
      writer.endObject()
      return context.response(json: writer.finish())
    }
  }

  /// `GET /v1/search`
  func search(_ request: RequestContext) throws(Problem) -> Reply {
    let search = try request.parameters { $0.search }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      var writer = JSONWriter(capacity: 4096)
      var page = Page(first: search.offset, shown: 0, count: 0, limit: search.limit)
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
      var response = request.context.response(json: writer.finish())
      response.fields.append("Link", page.links(for: request.head, below: request.context.base))
      return response
    }
  }

  /// `GET /v1/tags`
  func tags(_ request: RequestContext) throws(Problem) -> Reply {
    let (prefix, offset, limit) = try request.parameters { query in
      (query.searchText("prefix") ?? "", query.offset, query.limit)
    }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.tags(prefix: prefix, offset: offset, limit: limit)
      var writer = JSONWriter(capacity: 64 + 64 * found.tags.count)
      writer.collection("tags", found.tags, count: found.count) { writer, entry in
        writer.beginObject()
        writer.member("tag", entry.tag)
        writer.member("count", entry.count)
        writer.endObject()
      }
      var response = request.context.response(json: writer.finish())
      let page = Page(
        first: min(offset, found.count), shown: found.tags.count, count: found.count, limit: limit)
      response.fields.append("Link", page.links(for: request.head, below: request.context.base))
      return response
    }
  }
}

extension JSONWriter {
  /// Writes a search result with its place and a snippet around the matches.
  fileprivate mutating func hit(_ hit: SearchHit) {
    let row = Row(index: hit.place.index ?? RowIndex(0), content: hit.content)
    beginObject()
    key("type")
    if case .list = hit.content { string("list") } else { string("item") }
    member("id", row.id)
    member("title", row.title)
    member("detail", row.detail)
    member("listId", hit.place.listID)
    member("index", hit.place.index?.value)
    key("path")
    path(hit.place.path)
    key("snippet")
    beginArray()
    for piece in hit.snippet {
      beginObject()
      member("text", piece.text)
      member("match", piece.isMatch)
      endObject()
    }
    endArray()
    switch hit.content {
    case .list(let list):
      key("list")
      summary(list)
    case .item(let item):
      key("item")
      summary(item)
    }
    endObject()
  }
}
