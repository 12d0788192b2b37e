import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/changes`
  func log(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let (limit, offset) = (query.limit, query.offset)
    let since = query.revision("since")
    let end = query.revision("before")
    try faults.check()
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let found = try snapshot.changes(
        since: since, before: end, offset: offset, limit: limit, for: exchange.caller)
      var writer = JSONWriter(capacity: 256 + 256 * found.changes.count)
      writer.beginObject()
      writer.key("count")
      if let count = found.count { writer.int(count) } else { writer.null() }
      writer.key("changes")
      writer.beginArray()
      for change in found.changes { writer.change(change, for: exchange.audience) }
      writer.endArray()
      writer.key("nextBefore")
      if let next = found.next { writer.int(next.number) } else { writer.null() }
      writer.endObject()
      var response = exchange.audience.response(json: writer.finish())
      var links = PageLinks(for: exchange.head, below: exchange.audience.base)
      links.add("offset=", "0", ">; rel=\"first\"")
      if let next = found.next { links.add("before=", "\(next.number)", ">; rel=\"next\"") }
      response.fields.append("Link", links.text)
      return response
    }
  }

  /// `GET /v1/changes/{revision}`
  func change(_ revision: Revision, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    // Of one that sees a part, all that the change edited is looked for.
    let cost: ReadCost = exchange.caller.root == nil ? .bounded : .long
    return read(cost, exchange) { (snapshot) throws(InventoryError) in
      let change = try snapshot.change(revision, for: exchange.caller)
      var writer = JSONWriter(capacity: 512)
      writer.change(change, for: exchange.audience)
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `POST /v1/changes/{revision}/undo`
  func undo(_ revision: Revision, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return try write(.undo(revision), exchange)
  }

  /// `GET /v1/trash`
  func trash(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let window = query.window
    try faults.check()
    let trashTime = configuration.trashTime
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let found = try snapshot.trash(window, for: exchange.caller)
      var writer = JSONWriter(capacity: 256 + 320 * found.rows.count)
      writer.beginObject()
      writer.key("count")
      writer.int(found.count)
      writer.key("trash")
      writer.beginArray()
      for row in found.rows { writer.trashedRow(row, trashTime: trashTime) }
      writer.endArray()
      writer.endObject()
      var response = exchange.audience.response(json: writer.finish())
      var page = Page(
        first: found.first, shown: found.rows.count, count: found.count, limit: window.limit)
      if case .after = window.start { page.lastRow = found.rows.last?.id }
      response.fields.append("Link", page.links(for: exchange.head, below: exchange.audience.base))
      return response
    }
  }

  /// `POST /v1/trash/{rowId}/restore`
  func restore(_ row: RowReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let row = try row.trashed()
    let faults = Faults()
    let query = try exchange.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(try exchange.body(), known: ["listId", "position"], faults)
    let list = members.list("listId")
    let position = members.position()
    try faults.check()
    return try write(.restore(row, into: list, position), isStrict: isStrict, exchange)
  }

  /// `DELETE /v1/trash/{rowId}`
  func purge(_ row: RowReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let row = try row.trashed()
    try exchange.refuseParameters()
    return try write(.purge(row), showing: .nothing, exchange)
  }
}

extension RowReference {
  /// - Throws: 404 for the root list, which is never in the trash.
  fileprivate func trashed() throws(Problem) -> RowID {
    switch self {
    case .root: throw .notFound
    case .id(let row): return row
    }
  }
}

extension JSONWriter {
  fileprivate mutating func change(_ change: LoggedChange, for audience: Audience) {
    beginObject()
    key("revision")
    int(change.revision.number)
    key("at")
    time(change.at)
    key("actor")
    string(change.actor)
    key("requestId")
    string(change.requestID)
    key("action")
    string(change.action)
    key("lists")
    ids(change.lists.map { RowID($0) })
    key("subjects")
    path(change.subjects)
    key("undo")
    undo(
      of: change.revision, isUndoable: change.isUndoable && audience.caller.role >= .editor,
      for: audience)
    endObject()
  }

  /// - Parameter trashTime: seconds until what was deleted is gone for good; nil: it stays.
  fileprivate mutating func trashedRow(_ row: TrashedRow, trashTime: Int64?) {
    beginObject()
    key("id")
    id(row.id)
    key("type")
    string(row.kind == nil ? "list" : "item")
    key("kind")
    if let kind = row.kind { self.kind(kind) } else { null() }
    key("title")
    string(row.title)
    key("listId")
    id(row.listID)
    key("index")
    int(row.index.value)
    key("revision")
    int(row.revision.number)
    key("deletedAt")
    time(row.deletedAt)
    key("deletedBy")
    string(row.deletedBy)
    key("purgeAt")
    if let trashTime {
      time(Timestamp(seconds: row.deletedAt.seconds + trashTime))
    } else {
      null()
    }
    endObject()
  }
}
