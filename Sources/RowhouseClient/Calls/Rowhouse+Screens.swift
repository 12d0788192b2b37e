extension Rowhouse {
  /// A list's screen, with its first rows where a limit is given.
  ///
  /// - Parameters:
  ///   - list: which one.
  ///   - mode: what the screen is shown for.
  ///   - row: in the mode ``ScreenReference/Mode/move``, the row that is to be moved here.
  ///   - kind: in the mode ``ScreenReference/Mode/add``, what is to be added: `list`, `thing` or `car`.
  ///   - limit: how many rows come with it; nil: none.
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

  /// What the server says of itself, and how much it holds.
  public func about() async throws(RowhouseError) -> About {
    try await answer(.get("/v1/about"))
  }

  /// The items before and after one.
  public func neighbours(of item: Item.ID) async throws(RowhouseError) -> Neighbours {
    try await answer(.get("/v1/items/\(item)/neighbours"))
  }
}
