extension Rowhouse {
  /// A list's own fields.
  public func list(_ id: List.ID = .root) async throws(RowhouseError) -> List {
    try await answer(.get("/v1/lists/\(id)"))
  }

  /// A page of a list's rows, in its order.
  ///
  /// - Parameters:
  ///   - list: which one.
  ///   - offset: the index of the first row.
  ///   - limit: how many rows at most, up to a thousand; very long ones are fewer.
  ///   - showingSentinel: whether the pinned last row comes behind the last of them.
  ///   - revision: refused with ``Problem/Code/listMovedOn`` if the list is not at it any more.
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
  ///   - list: which one.
  ///   - sort: `title`, `-valueInDollars`, `createdAt` and the rest; nil: the list's own order.
  ///   - type: lists alone, or items; nil: both.
  ///   - text: what the rows have in their titles or details.
  ///   - sections: a bound between two sections, as `value:50`; nil: none.
  ///   - offset: the place in the view of the first row.
  ///   - limit: how many rows at most, up to a thousand.
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

  /// Makes a list in another one.
  @discardableResult
  public func createList(_ draft: ListDraft) async throws(RowhouseError) -> Written<List> {
    try await answer(.write("POST", "/v1/lists", json: draft))
  }

  /// Changes what an edit names of a list's own fields.
  ///
  /// - Parameters:
  ///   - list: which one.
  ///   - edit: what changes.
  ///   - revision: the edit is refused if the list is not at it any more.
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
