extension Rowhouse {
  /// All inventories of the server. Only for administrators.
  public func inventories() async throws(RowhouseError) -> [Inventory] {
    try await answer(.get("/v1/inventories"), member: "inventories")
  }

  /// One of the server's inventories.
  public func inventory(_ id: Inventory.ID) async throws(RowhouseError) -> Inventory {
    try await answer(.get("/v1/inventories/\(id)"))
  }

  /// Creates an inventory. Use ``entering(_:)`` to make calls in it.
  ///
  /// The client never repeats this call, because the server does not store its answer. If no answer arrives, look at
  /// ``inventories()``, or create the inventory again with the same id: ``Problem/Code/idTaken`` says that it exists.
  ///
  /// - Parameters:
  ///   - title: The root list's title.
  ///   - id: If nil, the server creates one.
  ///   - depthLimit: The maximum level of lists. The root list has level 1; nil: only the server's limit.
  @discardableResult
  public func createInventory(
    title: String, id: Inventory.ID? = nil, depthLimit: Int? = nil
  ) async throws(RowhouseError) -> Inventory {
    let draft = InventoryDraft(id: id, title: title, depthLimit: depthLimit)
    return try await answer(.once("POST", "/v1/inventories", json: draft))
  }

  /// Sets the maximum level of lists. Lists that are already deeper stay.
  ///
  /// - Parameters:
  ///   - inventory: The inventory's id.
  ///   - depthLimit: The maximum level of lists. The root list has level 1; nil: only the server's limit.
  @discardableResult
  public func limitDepth(
    of inventory: Inventory.ID, to depthLimit: Int?
  ) async throws(RowhouseError) -> Inventory {
    try await answer(
      .write("PATCH", "/v1/inventories/\(inventory)", json: ["depthLimit": depthLimit]))
  }
}

private struct InventoryDraft: Encodable {
  var id: Inventory.ID?
  var title: String
  var depthLimit: Int?
}
