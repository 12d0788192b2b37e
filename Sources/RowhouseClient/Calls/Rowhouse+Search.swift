extension Rowhouse {
  /// Searches all texts for words. The last word may be incomplete.
  public func search(
    _ text: String, in list: List.ID? = nil, kind: Item.Kind? = nil, tag: String? = nil,
    offset: Int = 0, limit: Int = 50
  ) async throws(RowhouseError) -> SearchResult {
    try await answer(
      .get(
        "/v1/search",
        [
          ("q", text), ("listId", list?.rawValue), ("kind", kind?.rawValue), ("tag", tag),
          ("offset", "\(offset)"), ("limit", "\(limit)"),
        ]))
  }

  /// The tags in use.
  public func tags(
    beginningWith prefix: String? = nil, offset: Int = 0, limit: Int = 50
  ) async throws(RowhouseError) -> [TagCount] {
    try await answer(
      .get(
        "/v1/tags", [("prefix", prefix), ("offset", "\(offset)"), ("limit", "\(limit)")]),
      member: "tags")
  }
}
