extension Rowhouse {
  /// Moves a row within its list, with the indices that a table view's delegate receives.
  ///
  /// - Parameters:
  ///   - list: The row's list.
  ///   - from: The row's index.
  ///   - to: The new index, counted after the row's removal.
  ///   - row: If another row is at `from`, the call throws ``Problem/Code/rowMoved``.
  @discardableResult
  public func moveRow(
    in list: List.ID, from: Int, to: Int, expecting row: Row.ID? = nil
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write("POST", "/v1/lists/\(list)/move-row", json: RowMove(from: from, to: to, id: row)))
  }

  /// The index at which a moved row would land, for a table view that asks during a drag.
  public func moveTarget(
    in list: List.ID, from: Int, proposed to: Int
  ) async throws(RowhouseError) -> Int {
    try await answer(
      .get("/v1/lists/\(list)/move-target", [("from", "\(from)"), ("to", "\(to)")]), member: "to")
  }

  /// Moves a row to a position in its list or in another one.
  @discardableResult
  public func move(
    _ row: Row.ID, to list: List.ID? = nil, at position: Position = .last
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "POST", "/v1/rows/\(row)/move", json: Relocation(listID: list, position: position)))
  }

  /// Moves at most ``RowBatch/maximumCount`` rows from any lists to one position in a list, in the given order.
  @discardableResult
  public func move(
    _ rows: [Row.ID], into list: List.ID, at position: Position = .last
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "POST", "/v1/lists/\(list)/move-rows", json: Gathering(ids: rows, position: position)))
  }

  /// Reorders a list. `rows` contains each row's id once.
  @discardableResult
  public func reorder(_ list: List.ID, _ rows: [Row.ID]) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/lists/\(list)/reorder", json: ["ids": rows]))
  }

  /// Sorts a list permanently, by `title`, `-valueInDollars` and so on.
  @discardableResult
  public func sort(_ list: List.ID, by sort: String) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/lists/\(list)/reorder", json: ["sort": sort]))
  }

  /// Deletes a row. It can be restored.
  ///
  /// - Parameters:
  ///   - row: The row's id.
  ///   - recursive: Whether to delete a list with rows, and everything below it.
  @discardableResult
  public func delete(
    _ row: Row.ID, recursive: Bool = false
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write("DELETE", "/v1/rows/\(row)", [("recursive", recursive ? "true" : nil)]))
  }

  /// Deletes the row at an index, for example after a swipe. It can be restored.
  ///
  /// - Parameters:
  ///   - list: The row's list.
  ///   - index: The row's index.
  ///   - row: If another row is at the index, the call throws ``Problem/Code/rowMoved``.
  ///   - recursive: Whether to delete a list with rows, and everything below it.
  @discardableResult
  public func deleteRow(
    in list: List.ID, at index: Int, expecting row: Row.ID, recursive: Bool = false
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "DELETE", "/v1/lists/\(list)/rows/\(index)",
        [("id", row.rawValue), ("recursive", recursive ? "true" : nil)]))
  }

  /// Makes several changes of a list's rows as one change, all or nothing.
  ///
  /// - Parameters:
  ///   - batch: The changes, at most ``RowBatch/maximumCount``.
  ///   - list: The list of the rows.
  ///   - revision: If the list has another revision, the call is refused with the delta since this one.
  ///   - recursive: Whether to delete lists with rows, and everything below them.
  @discardableResult
  public func perform(
    _ batch: RowBatch, in list: List.ID, ifAt revision: Int? = nil, recursive: Bool = false
  ) async throws(RowhouseError) -> RowBatchAnswer {
    try await answer(
      .write(
        "POST", "/v1/lists/\(list)/batch", [("recursive", recursive ? "true" : nil)], json: batch
      ).ifMatch(revision))
  }

  /// The position of a row, and the path down to it.
  public func place(of row: Row.ID) async throws(RowhouseError) -> Place {
    try await answer(.get("/v1/rows/\(row)"))
  }

  /// The delta of a list since a revision of the inventory.
  ///
  /// - Throws: ``Problem/Code/resync`` if the revision is too old or unknown, or from before the caller could see
  ///   the list. If too much has changed, the delta's content is `resync`.
  public func changes(
    in list: List.ID, since revision: Int
  ) async throws(RowhouseError) -> Delta? {
    let deltas: [Delta] = try await answer(
      .get("/v1/lists/\(list)/changes", [("since", "\(revision)")]), member: "deltas")
    return deltas.first
  }
}

private struct RowMove: Encodable {
  var from: Int
  var to: Int
  var id: Row.ID?
}

/// A new place of a row; nil for what stays the same.
struct Relocation: Encodable {
  var listID: Rowhouse.List.ID?
  var position: Position?

  private enum CodingKeys: String, CodingKey {
    case position
    case listID = "listId"
  }
}

private struct Gathering: Encodable {
  var ids: [Row.ID]
  var position: Position
}
