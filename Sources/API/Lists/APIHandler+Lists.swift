import FoundationEssentials
import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/lists`
  func lists(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let window = query.window
    let parent = query.list("parentId")
    let isSubtree = query.flag("subtree", default: false)
    try faults.check()
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let found =
        isSubtree
        ? try snapshot.descendants(of: parent, window, for: exchange.caller)
        : try snapshot.sublists(of: parent, window, for: exchange.caller)
      var writer = JSONWriter(capacity: 256 + 512 * found.lists.count)
      writer.beginObject()
      writer.key("count")
      writer.int(found.count)
      writer.key("lists")
      writer.beginArray()
      for entry in found.lists {
        writer.beginObject()
        writer.listMembers(entry.list, for: exchange.audience)
        if isSubtree {
          writer.key("level")
          writer.int(entry.level)
        }
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      var response = exchange.audience.response(json: writer.finish())
      var page = Page(
        first: found.first, shown: found.lists.count, count: found.count, limit: window.limit)
      if case .after = window.start { page.lastRow = found.lists.last.map { RowID($0.list.id) } }
      response.fields.append("Link", page.links(for: exchange.head, below: exchange.audience.base))
      return response
    }
  }

  /// `POST /v1/lists`
  func createList(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(
      try exchange.body(), known: ["id", "parentId", "position"] + ListDetails.writable,
      readOnly: ListDetails.readOnly, faults)
    let id: ListID? = members.identifier("id")
    let parent = members.list("parentId") ?? .root
    let position = members.position() ?? .last
    let details = ListDetails(members, faults)
    try faults.check()
    let command = Command.createList(
      NewList(
        id: id ?? ListID(.version7()), parent: parent, details: details, position: position))
    return try write(
      command, showing: .taggedResource, isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), exchange)
  }

  /// `GET /v1/lists/{listId}`
  func list(_ list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isSubtree = query.flag("subtree", default: false)
    try faults.check()
    let audience = exchange.audience
    return read(isSubtree ? .long : .bounded, exchange) { (snapshot) throws(InventoryError) in
      let found = try snapshot.list(list, for: exchange.caller)
      guard isSubtree || !exchange.holds(found.revision) else {
        return audience.notModified(found.revision)
      }
      var writer = JSONWriter(capacity: 1024)
      writer.beginObject()
      writer.listMembers(found, for: audience)
      guard isSubtree else {
        writer.endObject()
        return audience.response(json: writer.finish(), revision: found.revision)
      }
      let totals = try snapshot.subtreeTotals(of: list, for: exchange.caller)
      writer.key("subtree")
      writer.beginObject()
      writer.key("listCount")
      writer.int(totals.listCount)
      writer.key("itemCount")
      writer.int(totals.itemCount)
      writer.key("totalValueInDollars")
      writer.decimal(totals.total.amount, places: 2)
      writer.endObject()
      writer.endObject()
      return audience.response(json: writer.finish())
    }
  }

  /// `PATCH /v1/lists/{listId}`
  func editList(_ list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    _ = try exchange.query(faults)
    let patch = try exchange.body()
    ListDetails.check(patch: patch, faults)
    try faults.check()
    let command = Command.editList(list) { (details) throws(InventoryError) in
      let faults = Faults()
      let edited = details.patched(by: patch, faults)
      guard faults.violations.isEmpty else { throw .invalid(faults.violations) }
      return edited
    }
    return try write(command, showing: .taggedResource, exchange)
  }

  /// `DELETE /v1/lists/{listId}`
  func deleteList(_ list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let row: RowReference =
      switch list {
      case .root: .root
      case .id(let id): .id(RowID(id))
      }
    return try delete(try self.row(row, exchange), .list, exchange)
  }

  /// `GET /v1/lists/{listId}/path`
  func listPath(_ list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      let id = try snapshot.list(list, for: exchange.caller).id
      return exchange.path(try snapshot.place(of: RowID(id), for: exchange.caller).path)
    }
  }

  /// `GET /v1/resolve`
  func resolve(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    guard let path = query.text("path") else {
      faults.note(
        .parameter("path", "Send the titles from the root list down: ?path=/Home/Kitchen."))
      throw .invalid(faults.all)
    }
    try faults.check()
    let titles = path.split(separator: "/").map(String.init)
    let audience = exchange.audience
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let step = try snapshot.resolve(path: titles, for: exchange.caller)
      var writer = JSONWriter(capacity: 1024)
      writer.beginObject()
      writer.key("id")
      writer.id(step.id)
      writer.key("title")
      writer.string(step.title)
      writer.key("type")
      writer.type(step)
      if step.isList {
        writer.key("list")
        writer.list(
          try snapshot.list(.id(ListID(step.id)), for: exchange.caller), for: audience)
      } else {
        writer.key("item")
        writer.item(try snapshot.item(ItemID(step.id), for: exchange.caller))
      }
      writer.endObject()
      return audience.response(json: writer.finish())
    }
  }
}

extension Exchange {
  /// The way down to a list or an item, as a collection.
  func path(_ steps: [PathStep]) -> Response {
    var writer = JSONWriter(capacity: 64 + 96 * steps.count)
    writer.beginObject()
    writer.key("count")
    writer.int(steps.count)
    writer.key("path")
    writer.path(steps)
    writer.endObject()
    return audience.response(json: writer.finish())
  }
}
