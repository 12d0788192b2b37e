import FoundationEssentials
import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `POST /v1/lists/{listId}/items`
  func createItem(in list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(
      try exchange.body(), known: ["id", "position", "createdAt"] + ItemDetails.writable,
      readOnly: ItemDetails.readOnly, faults)
    let id: ItemID? = members.identifier("id")
    let position = members.position() ?? .last
    let createdAt = members.time("createdAt")
    let details = ItemDetails(members, kind: nil, faults)
    try faults.check()
    let item = NewItem(id: id ?? ItemID(.version7()), details: details, createdAt: createdAt)
    return try write(
      .createItem(item, in: list, position), showing: .taggedResource, isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), exchange)
  }

  /// `POST /v1/lists/{listId}/items/random`
  func createRandomItem(in list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(try exchange.body(), known: ["id", "position"], faults)
    let id: ItemID? = members.identifier("id")
    let position = members.position() ?? .last
    try faults.check()
    let new = id ?? ItemID(.version7())
    let item = NewItem(id: new, details: .madeUp(for: new))
    return try write(
      .createItem(item, in: list, position), showing: .taggedResource, isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), exchange)
  }

  /// `GET /v1/items/{itemId}`
  func item(_ id: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      let item = try snapshot.item(id, for: exchange.caller)
      guard !exchange.holds(item.revision) else {
        return exchange.audience.notModified(item.revision)
      }
      var writer = JSONWriter(capacity: 1024)
      writer.item(item)
      return exchange.audience.response(json: writer.finish(), revision: item.revision)
    }
  }

  /// `PATCH /v1/items/{itemId}`
  func editItem(_ id: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    _ = try exchange.query(faults)
    let patch = try exchange.body()
    ItemDetails.check(patch: patch, faults)
    try faults.check()
    let command = Command.editItem(id) { (details) throws(InventoryError) in
      let faults = Faults()
      let edited = try details.patched(by: patch, faults)
      guard faults.violations.isEmpty else { throw .invalid(faults.violations) }
      return edited
    }
    return try write(command, showing: .taggedResource, exchange)
  }

  /// `PUT /v1/items/{itemId}`
  func replaceItem(_ id: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    _ = try exchange.query(faults)
    let object = try exchange.body()
    // What is wrong whatever the item's kind is comes before the preconditions.
    _ = ItemDetails(replacing: object, kind: nil, faults)
    try faults.check()
    let command = Command.editItem(id) { (details) throws(InventoryError) in
      let faults = Faults()
      let replaced = ItemDetails(replacing: object, kind: details.kind, faults)
      guard faults.violations.isEmpty else { throw .invalid(faults.violations) }
      return replaced
    }
    return try write(command, showing: .resource, exchange)
  }

  /// `POST /v1/items/{itemId}/contents`
  func makeContents(of item: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    _ = try exchange.query(faults)
    let members = Members(
      try exchange.body(), known: ["id"], readOnly: ListDetails.writable + ListDetails.readOnly,
      faults)
    let id: ListID? = members.identifier("id")
    try faults.check()
    return try write(
      .makeContents(of: item, id: id ?? ListID(.version7())), showing: .taggedResource, exchange)
  }

  /// `GET /v1/items/{itemId}/path`
  func itemPath(_ id: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      // The id of a list has a place too, but is no item's.
      _ = try snapshot.item(id, for: exchange.caller)
      return exchange.path(try snapshot.place(of: RowID(id), for: exchange.caller).path)
    }
  }
}

extension ItemDetails {
  fileprivate init(replacing object: JSONObject, kind: ItemKind?, _ faults: Faults) {
    let members = Members(object, known: Self.writable, readOnly: Self.readOnly, faults)
    self.init(members, kind: kind, faults)
  }
}
