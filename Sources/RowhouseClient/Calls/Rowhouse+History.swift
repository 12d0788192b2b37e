extension Rowhouse {
  /// Undoes a change by making its inverse.
  ///
  /// - Throws: ``Problem/Code/undoConflict`` if what it changed was changed again.
  @discardableResult
  public func undo(_ revision: Int) async throws(RowhouseError) -> Receipt {
    try await answer(.write("POST", "/v1/changes/\(revision)/undo"))
  }

  /// Undoes the change of a receipt; nil if it has no undo.
  @discardableResult
  public func undo(_ receipt: Receipt) async throws(RowhouseError) -> Receipt? {
    guard receipt.undo != nil else { return nil }
    return try await undo(receipt.revision)
  }

  /// One page of the log of changes, newest first.
  ///
  /// - Parameters:
  ///   - revision: The page has changes before this revision, such as the ``ChangeLog/nextBefore`` of the last page;
  ///     nil: the newest.
  ///   - offset: The number of changes to skip.
  ///   - limit: The most changes on the page. A page can have fewer, or none, although more follow.
  public func log(
    before revision: Int? = nil, offset: Int = 0, limit: Int = 50
  ) async throws(RowhouseError) -> ChangeLog {
    var query = [("offset", "\(offset)"), ("limit", "\(limit)")]
    if let revision { query.append(("before", "\(revision)")) }
    return try await answer(.get("/v1/changes", query))
  }

  /// The latest changes that this token sees, newest first. Reads as many pages as needed.
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

  /// The deleted rows that can be restored.
  public func trash(offset: Int = 0, limit: Int = 50) async throws(RowhouseError) -> [TrashedRow] {
    try await answer(
      .get("/v1/trash", [("offset", "\(offset)"), ("limit", "\(limit)")]), member: "trash")
  }

  /// Restores a row to its old place or, if given, to another one.
  @discardableResult
  public func restore(
    _ row: Row.ID, to list: List.ID? = nil, at position: Position? = nil
  ) async throws(RowhouseError) -> Receipt {
    try await answer(
      .write(
        "POST", "/v1/trash/\(row)/restore", json: Relocation(listID: list, position: position)))
  }

  /// Purges a deleted row.
  public func purge(_ row: Row.ID) async throws(RowhouseError) {
    try await perform(.write("DELETE", "/v1/trash/\(row)"))
  }
}
