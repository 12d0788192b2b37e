import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/search`
  func search(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let search = try exchange.query(faults).search
    try faults.check()
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      var writer = JSONWriter(capacity: 4096)
      var page = Page(first: search.offset, shown: 0, count: 0, limit: search.limit)
      try snapshot.search(search, for: exchange.caller) { total in
        page.count = total.count
        page.first = min(search.offset, total.count)
        writer.beginObject()
        writer.key("count")
        writer.int(total.count)
        writer.key("truncated")
        writer.bool(total.isTruncated)
        writer.key("hits")
        writer.beginArray()
      } visit: { hit in
        writer.hit(hit)
        page.shown += 1
        return writer.count < Exchange.largestPage
      }
      writer.endArray()
      writer.endObject()
      var response = exchange.audience.response(json: writer.finish())
      response.fields.append("Link", page.links(for: exchange.head, below: exchange.audience.base))
      return response
    }
  }

  /// `GET /v1/tags`
  func tags(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let prefix = query.searchText("prefix") ?? ""
    let (offset, limit) = (query.offset, query.limit)
    try faults.check()
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let found = try snapshot.tags(
        prefix: prefix, offset: offset, limit: limit, for: exchange.caller)
      var writer = JSONWriter(capacity: 64 + 64 * found.tags.count)
      writer.beginObject()
      writer.key("count")
      writer.int(found.count)
      writer.key("tags")
      writer.beginArray()
      for entry in found.tags {
        writer.beginObject()
        writer.key("tag")
        writer.string(entry.tag)
        writer.key("count")
        writer.int(entry.count)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      var response = exchange.audience.response(json: writer.finish())
      let page = Page(
        first: min(offset, found.count), shown: found.tags.count, count: found.count, limit: limit)
      response.fields.append("Link", page.links(for: exchange.head, below: exchange.audience.base))
      return response
    }
  }
}

extension JSONWriter {
  /// What a search has found, with its place and the text around the words.
  fileprivate mutating func hit(_ hit: SearchHit) {
    let row = Row(index: hit.place.index ?? RowIndex(0), content: hit.content)
    beginObject()
    key("type")
    if case .list = hit.content { string("list") } else { string("item") }
    key("id")
    id(row.id)
    key("title")
    string(row.title)
    key("detail")
    string(row.detail)
    key("listId")
    id(hit.place.listID)
    key("index")
    int(hit.place.index?.value)
    key("path")
    path(hit.place.path)
    key("snippet")
    beginArray()
    for piece in hit.snippet {
      beginObject()
      key("text")
      string(piece.text)
      key("match")
      bool(piece.isMatch)
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
