extension Rowhouse {
  /// All inventories of the server: an administrator's to see.
  public func inventories() async throws(RowhouseError) -> [Inventory] {
    let inventories: Inventories = try await answer(.get("/v1/inventories"))
    return inventories.inventories
  }

  /// One of the server's inventories.
  public func inventory(_ id: Inventory.ID) async throws(RowhouseError) -> Inventory {
    try await answer(.get("/v1/inventories/\(id)"))
  }

  /// Makes an inventory, which ``entering(_:)`` leads into.
  ///
  /// It is tried once: the server keeps no answer to give again. Where none came, look at
  /// ``inventories()``, or make it again under the same id: ``Problem/Code/idTaken`` says that it is there.
  ///
  /// - Parameters:
  ///   - title: the root list's.
  ///   - id: nil: the server makes one.
  ///   - depthLimit: the lowest level on which lists may come to stand; nil: the server's own limit alone.
  @discardableResult
  public func createInventory(
    title: String, id: Inventory.ID? = nil, depthLimit: Int? = nil
  ) async throws(RowhouseError) -> Inventory {
    let draft = InventoryDraft(id: id, title: title, depthLimit: depthLimit)
    return try await answer(.once("POST", "/v1/inventories", json: draft))
  }

  /// Sets the lowest level on which lists may come to stand; what stands too deep already stays.
  ///
  /// - Parameters:
  ///   - inventory: which one.
  ///   - depthLimit: the root list's level is 1; nil: the server's own limit alone.
  @discardableResult
  public func limitDepth(
    of inventory: Inventory.ID, to depthLimit: Int?
  ) async throws(RowhouseError) -> Inventory {
    try await answer(
      .write(
        "PATCH", "/v1/inventories/\(inventory)", json: InventoryEdit(depthLimit: Edit(depthLimit))))
  }
}

private struct InventoryDraft: Encodable {
  var id: Inventory.ID?
  var title: String
  var depthLimit: Int?
}

private struct InventoryEdit: Encodable {
  var depthLimit: Edit<Int>

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(depthLimit, forKey: .depthLimit)
  }

  private enum CodingKeys: String, CodingKey { case depthLimit }
}

private struct Inventories: Decodable {
  var inventories: [Inventory]
}
