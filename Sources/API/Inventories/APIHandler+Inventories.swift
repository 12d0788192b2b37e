import HTTP
import Inventory
import JSON

extension Route {
  static let inventories = [
    Route(.get, "/v1/inventories", APIHandler.inventories),
    Route(
      .post, "/v1/inventories", body: .required, isUnconditional: true, APIHandler.createInventory),
    Route(.get, "/v1/inventories/{inventoryId}", APIHandler.inventory),
    Route(.patch, "/v1/inventories/{inventoryId}", body: .required, APIHandler.editInventory),
  ]
}

extension APIHandler {
  /// `GET /v1/inventories`
  func inventories(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let inventories = try snapshot.inventories()
      return request.context.response(capacity: 256 + 256 * inventories.count) {
        $0.collection("inventories", inventories) { $0.inventoryMembers($1) }
      }
    }
  }

  /// `POST /v1/inventories`
  func createInventory(_ request: RequestContext) throws(Problem) -> Reply {
    let action = try request.input(["id", "title", "depthLimit"]) { _, members in
      let id = members.identifier("id") ?? InventoryID(.version7())
      let title = members.text("title", missing: "Enter a title for the root list.")
        .map(TextRules.trimmed)
      let limit = members.depthLimit()
      return title.map { Administration.createInventory(id: id, title: $0, depthLimit: limit) }
    }
    return administer(action, request) { outcome in
      guard case .inventory(let inventory) = outcome else { return request.context.empty() }
      var response = request.context.response(201) { writer in
        writer.object { $0.inventoryMembers(inventory) }
      }
      response.fields.append(
        "Location", request.context.base.path("/v1/inventories/\(inventory.id)"))
      response.fields.append("ETag", "\"\(request.context.tag(inventory))\"")
      return response
    }
  }

  /// `GET /v1/inventories/{inventoryId}`
  func inventory(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let caller = try request.caller.entering(request.path.inventory)
      let inventory = try snapshot.seen(by: caller).inventory()
      return request.response(tagged: request.context.tag(inventory)) { writer in
        writer.object { $0.inventoryMembers(inventory) }
      }
    }
  }

  /// `PATCH /v1/inventories/{inventoryId}`
  func editInventory(_ request: RequestContext) throws(Problem) -> Reply {
    let (limit, isGiven) = try request.input(
      ["depthLimit"], readOnly: ["id", "rootListId", "title", "revision", "createdAt"]
    ) { _, members in (members.depthLimit(), members.isGiven("depthLimit")) }
    let caller: Caller
    do throws(InventoryError) { caller = try request.caller.entering(request.path.inventory) } catch
    {
      throw request.problem(error)
    }
    let condition = try EntityTagCondition(request.head.fields, "If-Match")
    let command = Command.editInventory { (present) throws(InventoryError) in
      // The store has compared the revision, but a new depth limit has no revision.
      guard condition?.allows(present) ?? true else {
        throw .preconditionFailed(.inventory(present))
      }
      return isGiven ? limit : present.depthLimit
    }
    return try write(command, as: caller, showing: .resource, request)
  }
}

extension Caller {
  /// The same caller in the inventory that the path names.
  ///
  /// - Throws: `notFound` if the caller is bound to another inventory.
  func entering(_ id: InventoryID) throws(InventoryError) -> Caller {
    guard inventory == nil || inventory == id else { throw .notFound(.inventory) }
    var caller = self
    caller.inventory = id
    return caller
  }
}

extension ResponseContext {
  /// The entity tag of an inventory without quotes. It ends with `l` and the depth limit, which has no revision.
  func tag(_ inventory: InventoryDescription) -> String {
    tag(inventory.revision) + "-" + Self.part(inventory.depthLimit)
  }

  /// The tag's last part: `l` and the limit's digits, or only `l` without a limit. `l` is not hexadecimal, so no id
  /// ends with such a part.
  fileprivate static func part(_ limit: DepthLimit?) -> String {
    "l" + (limit.map { String($0.level) } ?? "")
  }
}

extension EntityTagCondition {
  /// Whether a tag has this revision and this depth limit. A tag with only the revision matches any limit.
  fileprivate func allows(_ present: InventoryDescription) -> Bool {
    guard case .tags(let tags) = self else { return true }
    return tags.contains { tag in
      guard !tag.isWeak, tag.revision == present.revision else { return false }
      guard let last = tag.opaque.split(separator: "-").last, last.first == "l",
        last.dropFirst().allSatisfy(\.isNumber)
      else { return true }
      return last == ResponseContext.part(present.depthLimit)
    }
  }
}

extension Members {
  /// The deepest level of lists. Nil if absent or null: any depth.
  fileprivate func depthLimit() -> DepthLimit? {
    let levels = DepthLimit.levels
    return value(
      "depthLimit", "Send a level from \(levels.lowerBound) to \(levels.upperBound), or null."
    ) { value in value.int64.flatMap { DepthLimit(level: Int($0)) } }
  }
}

extension JSONWriter {
  mutating func inventoryMembers(_ inventory: InventoryDescription) {
    member("id", inventory.id)
    member("rootListId", inventory.rootListID)
    member("title", inventory.title)
    member("revision", inventory.revision.number)
    member("createdAt", inventory.createdAt)
    member("depthLimit", inventory.depthLimit?.level)
  }
}
