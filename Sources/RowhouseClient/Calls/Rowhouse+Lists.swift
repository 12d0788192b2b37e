extension Rowhouse {
  /// A list's own fields.
  public func list(_ id: List.ID = .root) async throws(RowhouseError) -> List {
    try await answer(.get("/v1/lists/\(id)"))
  }

  /// A page of a list's rows, in the list's order.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - offset: The index of the first row.
  ///   - limit: The most rows, up to 1,000. A page of very large rows has fewer.
  ///   - showingSentinel: Whether the last page ends with the pinned last row.
  ///   - revision: If the list has another revision, the call throws ``Problem/Code/listMovedOn``.
  public func rows(
    of list: List.ID = .root, offset: Int = 0, limit: Int = 50, showingSentinel: Bool = true,
    at revision: Int? = nil
  ) async throws(RowhouseError) -> RowPage {
    try await answer(
      .get(
        "/v1/lists/\(list)/rows",
        [
          ("offset", "\(offset)"), ("limit", "\(limit)"), ("sentinel", "\(showingSentinel)"),
          ("revision", revision.map { "\($0)" }),
        ]))
  }

  /// A page of a list's rows in another order, or of those that match.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - sort: `title`, `-valueInDollars`, `createdAt` and so on; nil: the list's own order.
  ///   - type: Lists or items only; nil: both.
  ///   - text: A part of the rows' titles, names, serial numbers or tags.
  ///   - sections: A bound between two sections, such as `value:50`; nil: no sections.
  ///   - offset: The place of the first row in the view.
  ///   - limit: The most rows, up to 1,000.
  public func view(
    of list: List.ID, sort: String? = nil, type: Place.Step.Kind? = nil,
    matching text: String? = nil,
    sections: String? = nil, offset: Int = 0, limit: Int = 50
  ) async throws(RowhouseError) -> RowPage {
    try await answer(
      .get(
        "/v1/lists/\(list)/rows",
        [
          ("sort", sort), ("type", type?.rawValue), ("q", text), ("sections", sections),
          ("offset", "\(offset)"), ("limit", "\(limit)"),
        ]))
  }

  /// Creates a list in another one.
  @discardableResult
  public func createList(_ draft: ListDraft) async throws(RowhouseError) -> Written<List> {
    try await answer(.write("POST", "/v1/lists", json: draft))
  }

  /// Changes a list's own fields.
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - edit: The changes.
  ///   - revision: If the list has another revision, the edit is refused.
  @discardableResult
  public func edit(
    _ list: List.ID, _ edit: ListEdit, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> Written<List> {
    try await answer(.write("PATCH", "/v1/lists/\(list)", json: edit).ifMatch(revision))
  }

  /// The list or the item at a path of titles, such as `/Garage/Shelf 2`.
  public func resolve(_ path: String) async throws(RowhouseError) -> Place.Step {
    try await answer(.get("/v1/resolve", [("path", path)]))
  }
}
