import Foundation

extension Rowhouse {
  /// An item with all its details.
  public func item(_ id: Item.ID) async throws(RowhouseError) -> Item {
    try await answer(.get("/v1/items/\(id)"))
  }

  /// A page of the items with an exact value, in the order of their creation.
  public func items(
    with lookup: ItemLookup, offset: Int = 0, limit: Int = 50
  ) async throws(RowhouseError) -> [Item] {
    try await answer(
      .get(
        "/v1/items",
        [lookup.parameter, ("offset", "\(offset)"), ("limit", "\(limit)")]), member: "items")
  }

  /// Creates an item in a list.
  @discardableResult
  public func createItem(
    _ draft: ItemDraft, in list: List.ID = .root
  ) async throws(RowhouseError) -> Written<Item> {
    try await answer(.write("POST", "/v1/lists/\(list)/items", json: draft))
  }

  /// Changes fields of an item.
  ///
  /// - Parameters:
  ///   - item: The item's id.
  ///   - edit: The changes.
  ///   - revision: If the item has another revision, the edit is refused with the present item.
  @discardableResult
  public func edit(
    _ item: Item.ID, _ edit: ItemEdit, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> Written<Item> {
    try await answer(.write("PATCH", "/v1/items/\(item)", json: edit).ifMatch(revision))
  }

  /// Replaces all fields of an item except its kind, place, photos and times. Fields that are nil are cleared.
  ///
  /// - Parameters:
  ///   - item: The item as it was read, with your changes.
  ///   - revision: If the item has another revision, the call is refused with the present item.
  @discardableResult
  public func replace(
    _ item: Item, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> Written<Item> {
    try await answer(.write("PUT", "/v1/items/\(item.id)", json: item).ifMatch(revision))
  }

  /// Creates the contents list of an item, or returns the existing one.
  @discardableResult
  public func makeContents(of item: Item.ID) async throws(RowhouseError) -> Written<List> {
    try await answer(.write("POST", "/v1/items/\(item)/contents"))
  }

  /// An item's photos, in order.
  public func photos(of item: Item.ID) async throws(RowhouseError) -> [Photo] {
    try await answer(.get("/v1/items/\(item)/photos"), member: "photos")
  }

  /// Adds a photo after the others: JPEG, PNG, WebP, HEIC or GIF.
  ///
  /// - Parameters:
  ///   - bytes: The photo's file. The server detects its type from the bytes.
  ///   - item: The item's id.
  ///   - id: An id of your own, so that a repeated call adds no second photo; nil: the client creates one.
  @discardableResult
  public func addPhoto(
    _ bytes: Data, to item: Item.ID, id: Photo.ID? = nil
  ) async throws(RowhouseError) -> Written<Photo> {
    try await addPhoto(bytes, to: item, id: id ?? .init(rawValue: UUID().uuidString), key: nil)
  }

  /// - Parameter key: The idempotency key; nil: a new one.
  func addPhoto(
    _ bytes: Data, to item: Item.ID, id: Photo.ID, key: String?
  ) async throws(RowhouseError) -> Written<Photo> {
    var call = try Call.write("POST", "/v1/items/\(item)/photos", [("id", id.rawValue)])
    if let key { call.idempotencyKey = key }
    call.body = bytes
    // The server detects the type from the bytes.
    call.contentType = "application/octet-stream"
    return try await answer(call)
  }

  /// The bytes of a photo. They never change, so they are read from the cache if possible.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - item: The item that has it.
  ///   - length: The pixels that are needed on the shorter side. The answer is then the smallest rendition that has so
  ///     many, if there is one; see ``RenditionSize``.
  public func photo(
    _ photo: Photo.ID, of item: Item.ID, atLeast length: Int? = nil
  ) async throws(RowhouseError) -> Data {
    var call = Call.get("/v1/items/\(item)/photos/\(photo)", [("size", length?.description)])
    call.mayBeCached = true
    return try await perform(call).0
  }

  /// Reorders an item's photos. `photos` contains each photo's id once. The item's row shows the first.
  @discardableResult
  public func reorderPhotos(
    of item: Item.ID, _ photos: [Photo.ID]
  ) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/items/\(item)/photos/reorder", json: ["ids": photos]))
  }

  /// Deletes a photo. Undo restores it.
  @discardableResult
  public func deletePhoto(
    _ photo: Photo.ID, of item: Item.ID
  ) async throws(RowhouseError) -> Receipt {
    try await answer(.write("DELETE", "/v1/items/\(item)/photos/\(photo)"))
  }
}

/// One exact value by which ``Rowhouse/items(with:offset:limit:)`` finds items.
public enum ItemLookup: Sendable, Hashable {
  case serialNumber(String)
  case tag(String)
  /// A custom field with this text, number, `true` or `false`.
  case field(String, String)

  fileprivate var parameter: (name: String, value: String?) {
    switch self {
    case .serialNumber(let text): ("serialNumber", text)
    case .tag(let tag): ("tag", tag)
    case .field(let name, let value): ("field." + name, value)
    }
  }
}
