extension Rowhouse {
  /// Undoes a change by one of its own.
  ///
  /// - Throws: ``Problem/Code/undoConflict`` where what it did has been changed again.
  @discardableResult
  public func undo(_ revision: Int) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/changes/\(revision)/undo"))
  }

  /// Undoes what a receipt is for; nil where there is nothing to undo.
  @discardableResult
  public func undo(_ receipt: Receipt) async throws(RowhouseError) -> Receipt? {
    guard receipt.undo != nil else { return nil }
    return try await undo(receipt.revision)
  }

  /// One page of the log of changes, newest first.
  ///
  /// - Parameters:
  ///   - revision: The page holds changes before this revision, such as the ``ChangeLog/nextBefore`` of the page
  ///     before; nil: the newest.
  ///   - offset: The number of changes to skip.
  ///   - limit: The most changes that the page holds. The page of a token for one list can hold fewer, or none,
  ///     although more follow.
  public func log(
    before revision: Int? = nil, offset: Int = 0, limit: Int = 50
  ) async throws(RowhouseError) -> ChangeLog {
    var query = [("offset", "\(offset)"), ("limit", "\(limit)")]
    if let revision { query.append(("before", "\(revision)")) }
    return try await answer(.get("/v1/changes", query))
  }

  /// The latest changes of the inventory that this token sees, newest first, from as many pages as it takes.
  public func latestChanges(_ count: Int = 50) async throws(RowhouseError) -> [Change] {
    var changes: [Change] = []
    var end: Int?
    while changes.count < count {
      let page = try await log(before: end, limit: min(1_000, count - changes.count))
      changes += page.changes
      guard let next = page.nextBefore else { break }
      end = next
    }
    return changes
  }

  /// What was deleted and can be brought back.
  public func trash(offset: Int = 0, limit: Int = 50) async throws(RowhouseError) -> [TrashedRow] {
    let trash: Trash = try await answer(
      .get("/v1/trash", [("offset", "\(offset)"), ("limit", "\(limit)")]))
    return trash.trash
  }

  /// Brings a row back, to where it was or, if that is gone, to where it is told.
  @discardableResult
  public func restore(
    _ row: Row.ID, to list: List.ID? = nil, at position: Position? = nil
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "POST", "/v1/trash/\(row)/restore", json: Restoration(listID: list, position: position)))
  }

  /// Gives up what was deleted, for good.
  public func purge(_ row: Row.ID) async throws(RowhouseError) {
    try await perform(.write("DELETE", "/v1/trash/\(row)"))
  }
}

private struct Trash: Decodable {
  var trash: [TrashedRow]
}

private struct Restoration: Encodable {
  var listID: Rowhouse.List.ID?
  var position: Position?

  private enum CodingKeys: String, CodingKey {
    case position
    case listID = "listId"
  }
}
