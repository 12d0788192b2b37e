import FoundationEssentials
import HTTP
import Inventory
import JSON

extension Route {
  static let lists = [
    Route(.get, "/v1/lists", query: page + ["parentId", "subtree"], APIHandler.lists),
    Route(.post, "/v1/lists", query: ["strict"], body: .required, APIHandler.createList),
    Route(.get, "/v1/lists/{listId}", query: ["subtree"], APIHandler.list),
    Route(.patch, "/v1/lists/{listId}", body: .required, APIHandler.editList),
    Route(.delete, "/v1/lists/{listId}", query: ["recursive"], APIHandler.deleteList),
    Route(.get, "/v1/lists/{listId}/path", APIHandler.listPath),
  ]
}

extension APIHandler {
  /// `GET /v1/lists`
  func lists(_ request: RequestContext) throws(Problem) -> Reply {
    let (window, parent, isSubtree) = try request.parameters { query in
      (query.window, query.list("parentId"), query.flag("subtree", default: false))
    }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let found =
        isSubtree
        ? try snapshot.descendants(of: parent, window)
        : try snapshot.sublists(of: parent, window)
      let page = Page(
        window, first: found.first, shown: found.elements.count, count: found.count,
        lastRow: found.elements.last.map { RowID($0.list.id) })
      let body = JSONWriter.bytes(capacity: 256 + 512 * found.elements.count) { writer in
        writer.collection("lists", found.elements, count: found.count) { writer, entry in
          writer.listMembers(entry.list, for: request.context)
          if isSubtree { writer.member("level", entry.level) }
        }
      }
      return request.response(page, body)
    }
  }

  /// `POST /v1/lists`
  func createList(_ request: RequestContext) throws(Problem) -> Reply {
    let (list, isStrict) = try request.input(
      ["id", "parentId", "position"] + ListDetails.writable, readOnly: ListDetails.readOnly
    ) { query, members in
      let list = NewList(
        id: members.identifier("id") ?? ListID(.version7()),
        parent: members.list("parentId") ?? .root, details: ListDetails(members),
        position: members.position() ?? .last)
      return (list, query.isStrict)
    }
    return try write(
      .createList(list), showing: .taggedResource, isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: list.position), request)
  }

  /// `GET /v1/lists/{listId}`
  func list(_ request: RequestContext) throws(Problem) -> Reply {
    let list = request.path.list
    let isSubtree = try request.parameters { $0.flag("subtree", default: false) }
    let context = request.context
    return read(isSubtree ? .long : .bounded, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.list(list)
      guard isSubtree else {
        return request.response(tagged: context.tag(found.revision)) { writer in
          writer.object { $0.listMembers(found, for: context) }
        }
      }
      let totals = try snapshot.subtreeTotals(of: list)
      return context.object { writer in
        writer.listMembers(found, for: context)
        writer.object("subtree") { writer in
          writer.member("listCount", totals.listCount)
          writer.member("itemCount", totals.itemCount)
          writer.member("totalValueInDollars", totals.total)
        }
      }
    }
  }

  /// `PATCH /v1/lists/{listId}`
  func editList(_ request: RequestContext) throws(Problem) -> Reply {
    let patch = try request.parameters { (query) throws(Problem) in
      let patch = try request.json()
      ListDetails.check(patch: patch, query.faults)
      return patch
    }
    let command = Command.editList(request.path.list) { (details) throws(InventoryError) in
      try details.patched(by: patch)
    }
    return try write(command, showing: .taggedResource, request)
  }

  /// `DELETE /v1/lists/{listId}`
  func deleteList(_ request: RequestContext) throws(Problem) -> Reply {
    let row: RowReference =
      switch request.path.list {
      case .root: .root
      case .id(let id): .id(RowID(id))
      }
    return try delete(try self.row(row, request), .list, request)
  }

  /// `GET /v1/lists/{listId}/path`
  func listPath(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let id = try snapshot.list(request.path.list).id
      return request.path(try snapshot.place(of: RowID(id)).path)
    }
  }
}

extension RequestContext {
  /// The path from the root list to a list or an item, as a collection.
  func path(_ steps: [PathStep]) -> Response {
    context.object(capacity: 64 + 96 * steps.count) { writer in
      writer.member("count", steps.count)
      writer.path("path", steps)
    }
  }
}
