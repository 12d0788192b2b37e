import HTTP
import Inventory
import JSON

extension Route {
  static let history = [
    Route(.get, "/v1/trash", query: page, APIHandler.trash),
    Route(.delete, "/v1/trash/{rowId}", isUnconditional: true, APIHandler.purge),
    Route(
      .post, "/v1/trash/{rowId}/restore", query: ["strict"], body: .optional, isUnconditional: true,
      APIHandler.restore),
    Route(.get, "/v1/changes", query: ["since", "before", "limit", "offset"], APIHandler.log),
    Route(.get, "/v1/changes/{revision}", APIHandler.change),
    Route(.post, "/v1/changes/{revision}/undo", isUnconditional: true, APIHandler.undo),
  ]
}

extension APIHandler {
  /// `GET /v1/changes`
  func log(_ request: RequestContext) throws(Problem) -> Reply {
    let (limit, offset, since, end) = try request.parameters { query in
      (query.limit, query.offset, query.revision("since"), query.revision("before"))
    }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.changes(since: since, before: end, offset: offset, limit: limit)
      var response = request.context.object(capacity: 256 + 256 * found.changes.count) { writer in
        writer.member("count", found.count)
        writer.objects("changes", found.changes) { $0.changeMembers($1, for: request.context) }
        writer.member("nextBefore", found.next?.number)
      }
      var links = PageLinks(for: request.head, below: request.context.base)
      links.add("offset=", "0", ">; rel=\"first\"")
      if let next = found.next { links.add("before=", "\(next.number)", ">; rel=\"next\"") }
      response.fields.append("Link", links.text)
      return response
    }
  }

  /// `GET /v1/changes/{revision}`
  func change(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    // For a caller who sees only one list, this read may have to look at every row that the change edited.
    let cost: ReadCost = request.caller.root == nil ? .bounded : .long
    return read(cost, request) { (snapshot) throws(InventoryError) in
      let change = try snapshot.change(request.path.revision)
      return request.context.object { $0.changeMembers(change, for: request.context) }
    }
  }

  /// `POST /v1/changes/{revision}/undo`
  func undo(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return try write(.undo(request.path.revision), request)
  }

  /// `GET /v1/trash`
  func trash(_ request: RequestContext) throws(Problem) -> Reply {
    let window = try request.parameters { $0.window }
    let trashTime = configuration.trashTime
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.trash(window)
      let page = Page(
        window, first: found.first, shown: found.elements.count, count: found.count,
        lastRow: found.elements.last?.id)
      let body = JSONWriter.bytes(capacity: 256 + 320 * found.elements.count) {
        $0.collection("trash", found.elements, count: found.count) {
          $0.trashedRowMembers($1, trashTime: trashTime)
        }
      }
      return request.response(page, body)
    }
  }

  /// `POST /v1/trash/{rowId}/restore`
  func restore(_ request: RequestContext) throws(Problem) -> Reply {
    let row = try request.path.row.trashed()
    let (list, position, isStrict) = try request.input(["listId", "position"]) { query, members in
      (members.list("listId"), members.position(), query.isStrict)
    }
    return try write(.restore(row, into: list, position), isStrict: isStrict, request)
  }

  /// `DELETE /v1/trash/{rowId}`
  func purge(_ request: RequestContext) throws(Problem) -> Reply {
    let row = try request.path.row.trashed()
    try request.refuseParameters()
    return try write(.purge(row), showing: .nothing, request)
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
  fileprivate mutating func changeMembers(_ change: LoggedChange, for context: ResponseContext) {
    member("revision", change.revision.number)
    member("at", change.at)
    member("actor", change.actor)
    member("requestId", change.requestID)
    member("action", change.action)
    member("lists", change.lists.map { RowID($0) })
    path("subjects", change.subjects)
    undo(
      of: change.revision, isUndoable: change.isUndoable && context.caller.role >= .editor,
      for: context)
  }

  /// - Parameter trashTime: seconds until a deleted row is purged. Nil: never.
  fileprivate mutating func trashedRowMembers(_ row: TrashedRow, trashTime: Int64?) {
    member("id", row.id)
    member("type", row.kind == nil ? "list" : "item")
    member("kind", row.kind?.rawValue)
    member("title", row.title)
    member("listId", row.listID)
    member("index", row.index.value)
    member("revision", row.revision.number)
    member("deletedAt", row.deletedAt)
    member("deletedBy", row.deletedBy)
    member("purgeAt", trashTime.map { Timestamp(seconds: row.deletedAt.seconds + $0) })
  }
}
