import FoundationEssentials
import HTTP
import Inventory
import JSON

extension Route {
  static let items = [
    Route(
      .post, "/v1/lists/{listId}/items", query: ["strict"], body: .required, APIHandler.createItem),
    Route(
      .post, "/v1/lists/{listId}/items/random", query: ["strict"], body: .optional,
      APIHandler.createRandomItem),
    Route(
      .get, "/v1/items", query: ["serialNumber", "tag", Query.anyField] + page,
      APIHandler.findItems),
    Route(.get, "/v1/items/{itemId}", APIHandler.item),
    Route(.patch, "/v1/items/{itemId}", body: .required, APIHandler.editItem),
    Route(.put, "/v1/items/{itemId}", body: .required, APIHandler.replaceItem),
    Route(.delete, "/v1/items/{itemId}", query: ["recursive"], APIHandler.deleteItem),
    Route(.post, "/v1/items/{itemId}/contents", body: .optional, APIHandler.makeContents),
    Route(.get, "/v1/items/{itemId}/path", APIHandler.itemPath),
  ]
}

extension APIHandler {
  /// `POST /v1/lists/{listId}/items`
  func createItem(_ request: RequestContext) throws(Problem) -> Reply {
    let (item, position, isStrict) = try request.input(
      ["id", "position", "createdAt"] + ItemDetails.writable, readOnly: ItemDetails.readOnly
    ) { query, members in
      let isStrict = query.isStrict
      let id = members.identifier("id") ?? ItemID(.version7())
      let position = members.position() ?? .last
      let createdAt = members.time("createdAt")
      let details = ItemDetails(members, kind: nil)
      return (NewItem(id: id, details: details, createdAt: createdAt), position, isStrict)
    }
    return try write(
      .createItem(item, in: request.path.list, position), showing: .taggedResource,
      isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), request)
  }

  /// `POST /v1/lists/{listId}/items/random`
  func createRandomItem(_ request: RequestContext) throws(Problem) -> Reply {
    let (id, position, isStrict) = try request.input(["id", "position"]) { query, members in
      (members.identifier("id") ?? ItemID(.version7()), members.position() ?? .last, query.isStrict)
    }
    let item = NewItem(id: id, details: .madeUp(for: id))
    return try write(
      .createItem(item, in: request.path.list, position), showing: .taggedResource,
      isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), request)
  }

  /// `GET /v1/items`
  func findItems(_ request: RequestContext) throws(Problem) -> Reply {
    let (lookup, window) = try request.parameters { query in
      query.itemLookup.map { ($0, query.window) }
    }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let found = try snapshot.items(with: lookup, window)
      var page = Page(window, first: found.first, count: found.count)
      var writer = JSONWriter(capacity: 4096)
      writer.beginObject()
      writer.member("count", found.count)
      writer.key("items")
      writer.beginArray()
      for id in found.elements where page.shown == 0 || writer.count < RequestContext.largestPage {
        let item = try snapshot.item(id)
        writer.object { $0.itemMembers(item) }
        page.shown += 1
        page.lastRow = RowID(id)
      }
      writer.endArray()
      writer.endObject()
      return request.response(page, writer.finish())
    }
  }

  /// `GET /v1/items/{itemId}`
  func item(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let item = try snapshot.item(request.path.item)
      return request.response(tagged: request.context.tag(item.revision)) { writer in
        writer.object { $0.itemMembers(item) }
      }
    }
  }

  /// `PATCH /v1/items/{itemId}`
  func editItem(_ request: RequestContext) throws(Problem) -> Reply {
    let patch = try request.parameters { (query) throws(Problem) in
      let patch = try request.json()
      ItemDetails.check(patch: patch, query.faults)
      return patch
    }
    let command = Command.editItem(request.path.item) { (details) throws(InventoryError) in
      try details.patched(by: patch)
    }
    return try write(command, showing: .taggedResource, request)
  }

  /// `PUT /v1/items/{itemId}`
  func replaceItem(_ request: RequestContext) throws(Problem) -> Reply {
    let object = try request.parameters { (query) throws(Problem) in
      let object = try request.json()
      // Errors that do not depend on the item's kind are reported before a failed precondition.
      _ = ItemDetails(replacing: object, kind: nil, query.faults)
      return object
    }
    let command = Command.editItem(request.path.item) { (details) throws(InventoryError) in
      try FieldErrors.checked { ItemDetails(replacing: object, kind: details.kind, $0) }
    }
    return try write(command, showing: .resource, request)
  }

  /// `DELETE /v1/items/{itemId}`
  func deleteItem(_ request: RequestContext) throws(Problem) -> Reply {
    try delete(RowID(request.path.item), .item, request)
  }

  /// `POST /v1/items/{itemId}/contents`
  func makeContents(_ request: RequestContext) throws(Problem) -> Reply {
    let id = try request.input(
      ["id"], readOnly: ListDetails.writable + ListDetails.readOnly
    ) { _, members in members.identifier("id") ?? ListID(.version7()) }
    return try write(
      .makeContents(of: request.path.item, id: id), showing: .taggedResource, request)
  }

  /// `GET /v1/items/{itemId}/path`
  func itemPath(_ request: RequestContext) throws(Problem) -> Reply {
    let id = request.path.item
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      // A list's id also has a place, but is not an item.
      _ = try snapshot.item(id)
      return request.path(try snapshot.place(of: RowID(id)).path)
    }
  }
}

extension ItemDetails {
  fileprivate init(replacing object: JSONObject, kind: ItemKind?, _ faults: FieldErrors) {
    let members = Members(object, known: Self.writable, readOnly: Self.readOnly, faults)
    self.init(members, kind: kind)
  }
}

extension Query {
  /// The query of `GET /v1/items`. Notes an error if it has not exactly one value.
  fileprivate var itemLookup: ItemLookup? {
    var lookups: [ItemLookup] = []
    if let text = text("serialNumber") {
      let serial = TextRules.trimmed(text)
      if let fault = TextRules.fault(in: serial, length: 1...Limits.shortText) {
        note("serialNumber", fault)
      }
      lookups.append(.serialNumber(serial))
    }
    if let tag { lookups.append(.tag(tag)) }
    if let (name, value) = field {
      if name.isEmpty { note(Self.anyField, "Name the custom field: ?field.colour=red.") }
      lookups.append(.field(name: name, value: value))
    }
    guard lookups.count == 1 else {
      note("serialNumber", "Send exactly one of serialNumber, tag and field.NAME.")
      return nil
    }
    return lookups[0]
  }
}
