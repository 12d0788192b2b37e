extension Rowhouse {
  /// A list's screen, with its first rows if a limit is given.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - mode: The mode of the screen.
  ///   - row: In the mode ``ScreenReference/Mode/move``, the row to move here.
  ///   - kind: In the mode ``ScreenReference/Mode/add``, the kind to add: `list`, `thing` or `car`.
  ///   - limit: The number of rows to include; nil: none.
  public func screen(
    of list: List.ID, mode: ScreenReference.Mode = .browse, moving row: Row.ID? = nil,
    adding kind: String? = nil, limit: Int? = nil
  ) async throws(RowhouseError) -> Screen {
    try await answer(
      .get(
        "/v1/lists/\(list)/screen",
        [
          ("mode", mode.rawValue), ("row", row?.rawValue), ("kind", kind),
          ("limit", limit.map { "\($0)" }),
        ]))
  }

  /// An item's screen.
  public func screen(
    of item: Item.ID, mode: ScreenReference.Mode = .browse
  ) async throws(RowhouseError) -> Screen {
    try await answer(.get("/v1/items/\(item)/screen", [("mode", mode.rawValue)]))
  }

  /// The screen of an item's photos.
  public func photosScreen(of item: Item.ID) async throws(RowhouseError) -> Screen {
    try await answer(.get("/v1/items/\(item)/photos/screen"))
  }

  /// The server's about texts, and counts of lists and items.
  public func about() async throws(RowhouseError) -> About {
    try await answer(.get("/v1/about"))
  }

  /// The items before and after an item.
  public func neighbours(of item: Item.ID) async throws(RowhouseError) -> Neighbours {
    try await answer(.get("/v1/items/\(item)/neighbours"))
  }
}
