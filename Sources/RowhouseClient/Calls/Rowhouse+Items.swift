import Foundation

extension Rowhouse {
  /// An item with all its details.
  public func item(_ id: Item.ID) async throws(RowhouseError) -> Item {
    try await answer(.get("/v1/items/\(id)"))
  }

  /// Makes an item in a list.
  @discardableResult
  public func createItem(
    _ draft: ItemDraft, in list: List.ID = .root
  ) async throws(RowhouseError) -> Written<Item> {
    try await answer(.write("POST", "/v1/lists/\(list)/items", json: draft))
  }

  /// Changes what an edit names of an item.
  ///
  /// - Parameters:
  ///   - item: which one.
  ///   - edit: what changes.
  ///   - revision: the edit is refused, with the item as it is, if it is not at it any more.
  @discardableResult
  public func edit(
    _ item: Item.ID, _ edit: ItemEdit, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> Written<Item> {
    try await answer(.write("PATCH", "/v1/items/\(item)", json: edit).ifMatch(revision))
  }

  /// Makes an item as it is given, but for its kind, its place, its photos and its times: what it has none of
  /// is cleared.
  ///
  /// - Parameters:
  ///   - item: as it was read, with what is to be otherwise.
  ///   - revision: refused, with the item as it is, if it is not at it any more.
  @discardableResult
  public func replace(
    _ item: Item, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> Written<Item> {
    try await answer(.write("PUT", "/v1/items/\(item.id)", json: item).ifMatch(revision))
  }

  /// Makes the list of what is in an item; where there is one, that.
  @discardableResult
  public func makeContents(of item: Item.ID) async throws(RowhouseError) -> Written<List> {
    try await answer(.write("POST", "/v1/items/\(item)/contents"))
  }

  /// An item's photos, in order.
  public func photos(of item: Item.ID) async throws(RowhouseError) -> [Photo] {
    let photos: Photos = try await answer(.get("/v1/items/\(item)/photos"))
    return photos.photos
  }

  /// Adds a photo behind the others: JPEG, PNG, WebP, HEIC or GIF.
  ///
  /// - Parameters:
  ///   - bytes: the photo's file; the server tells its kind by them.
  ///   - item: whose it is.
  ///   - id: chosen by the caller, so that adding it again adds no second photo; nil: the client makes one.
  @discardableResult
  public func addPhoto(
    _ bytes: Data, to item: Item.ID, id: Photo.ID? = nil
  ) async throws(RowhouseError) -> Written<Photo> {
    // The server reads the type from the bytes.
    var call = try Call.write(
      "POST", "/v1/items/\(item)/photos", [("id", id?.rawValue ?? UUID().uuidString)])
    call.body = bytes
    call.contentType = "application/octet-stream"
    return try await answer(call)
  }

  /// A photo's bytes; they never change, and come from the cache where that has them.
  public func photo(_ photo: Photo.ID, of item: Item.ID) async throws(RowhouseError) -> Data {
    var call = Call.get("/v1/items/\(item)/photos/\(photo)")
    call.mayBeCached = true
    return try await perform(call).0
  }

  /// Puts an item's photos into an order: every photo's id once. The first is what the item's row shows.
  @discardableResult
  public func reorderPhotos(
    of item: Item.ID, _ photos: [Photo.ID]
  ) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/items/\(item)/photos/reorder", json: ["ids": photos]))
  }

  /// Takes a photo away; undoing brings it back.
  @discardableResult
  public func deletePhoto(
    _ photo: Photo.ID, of item: Item.ID
  ) async throws(RowhouseError) -> Receipt {
    try await answer(.write("DELETE", "/v1/items/\(item)/photos/\(photo)"))
  }
}

private struct Photos: Decodable {
  var photos: [Photo]
}
