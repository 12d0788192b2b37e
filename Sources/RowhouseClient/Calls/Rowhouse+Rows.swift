extension Rowhouse {
  /// Moves a row of a list, as a table view's delegate is told of it.
  ///
  /// - Parameters:
  ///   - list: whose row it is.
  ///   - from: the row's index.
  ///   - to: the index after the row has been taken out.
  ///   - row: refused with ``Problem/Code/rowMoved`` unless it is this row that stands at `from`.
  @discardableResult
  public func moveRow(
    in list: List.ID, from: Int, to: Int, expecting row: Row.ID? = nil
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write("POST", "/v1/lists/\(list)/move-row", json: RowMove(from: from, to: to, id: row)))
  }

  /// Where a row would land: for a table view that asks before the finger lets go.
  public func moveTarget(
    in list: List.ID, from: Int, proposed to: Int
  ) async throws(RowhouseError) -> Int {
    let target: MoveTarget = try await answer(
      .get("/v1/lists/\(list)/move-target", [("from", "\(from)"), ("to", "\(to)")]))
    return target.to
  }

  /// Moves a row to a place, in its list or in another.
  @discardableResult
  public func move(
    _ row: Row.ID, to list: List.ID? = nil, at position: Position = .last
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "POST", "/v1/rows/\(row)/move", json: Relocation(listID: list, position: position)))
  }

  /// Moves rows, at most ``RowBatch/maximumCount``, from wherever they are, to one place in a list, in the order given.
  @discardableResult
  public func move(
    _ rows: [Row.ID], into list: List.ID, at position: Position = .last
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "POST", "/v1/lists/\(list)/move-rows", json: Gathering(ids: rows, position: position)))
  }

  /// Puts a list into an order: every row's id once.
  @discardableResult
  public func reorder(_ list: List.ID, _ rows: [Row.ID]) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/lists/\(list)/reorder", json: ["ids": rows]))
  }

  /// Sorts a list once and for all, by `title`, `-valueInDollars` and the rest.
  @discardableResult
  public func sort(_ list: List.ID, by sort: String) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/lists/\(list)/reorder", json: ["sort": sort]))
  }

  /// Takes a row away; it can be brought back.
  ///
  /// - Parameters:
  ///   - row: which one.
  ///   - recursive: whether a list that has rows may go, with all that is below it.
  @discardableResult
  public func delete(
    _ row: Row.ID, recursive: Bool = false
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write("DELETE", "/v1/rows/\(row)", [("recursive", recursive ? "true" : nil)]))
  }

  /// Takes the row at an index away, as a swipe does; it can be brought back.
  ///
  /// - Parameters:
  ///   - list: whose row it is.
  ///   - index: where it stands.
  ///   - row: refused with ``Problem/Code/rowMoved`` unless it is this row that stands there.
  ///   - recursive: whether a list that has rows may go, with all that is below it.
  @discardableResult
  public func deleteRow(
    in list: List.ID, at index: Int, expecting row: Row.ID, recursive: Bool = false
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "DELETE", "/v1/lists/\(list)/rows/\(index)",
        [("id", row.rawValue), ("recursive", recursive ? "true" : nil)]))
  }

  /// Makes several changes of a list's rows as one, all of them or none.
  ///
  /// - Parameters:
  ///   - batch: the changes, at most ``RowBatch/maximumCount``.
  ///   - list: whose rows they are of.
  ///   - revision: refused if the list is not at it any more, with what it has done since.
  ///   - recursive: whether lists that have rows may go, with all that is below them.
  @discardableResult
  public func perform(
    _ batch: RowBatch, in list: List.ID, ifAt revision: Int? = nil, recursive: Bool = false
  ) async throws(RowhouseError) -> RowBatchAnswer {
    try await answer(
      .write(
        "POST", "/v1/lists/\(list)/batch", [("recursive", recursive ? "true" : nil)], json: batch
      ).ifMatch(revision))
  }

  /// Where a row stands, and the way down to it.
  public func place(of row: Row.ID) async throws(RowhouseError) -> Place {
    try await answer(.get("/v1/rows/\(row)"))
  }

  /// What has changed in a list since a revision of the inventory.
  ///
  /// - Throws: ``Problem/Code/resync`` where the rows are to be fetched anew.
  public func changes(
    in list: List.ID, since revision: Int
  ) async throws(RowhouseError) -> Delta? {
    let changes: ListChanges = try await answer(
      .get("/v1/lists/\(list)/changes", [("since", "\(revision)")]))
    return changes.deltas.first
  }
}

private struct RowMove: Encodable {
  var from: Int
  var to: Int
  var id: Row.ID?
}

private struct MoveTarget: Decodable {
  var to: Int
}

private struct Relocation: Encodable {
  var listID: Rowhouse.List.ID?
  var position: Position

  private enum CodingKeys: String, CodingKey {
    case position
    case listID = "listId"
  }
}

private struct Gathering: Encodable {
  var ids: [Row.ID]
  var position: Position
}

private struct ListChanges: Decodable {
  var deltas: [Delta]
}
