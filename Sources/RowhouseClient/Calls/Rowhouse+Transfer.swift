import Foundation

extension Rowhouse {
  /// Takes everything, photos too, or a list with all below it, into a file of JSON lines.
  ///
  /// It never is in memory as a whole, and takes the file's place once it is complete.
  public func export(_ list: List.ID? = nil, to file: URL) async throws(RowhouseError) {
    var call = Call.get("/v1/export", [("listId", list?.rawValue)])
    call.target = file
    try await perform(call)
  }

  /// Brings an export back, of any size, all of it or nothing.
  ///
  /// - Parameters:
  ///   - file: what ``export(_:to:)`` has written.
  ///   - mode: what becomes of what is there.
  ///   - dryRun: whether it is a rehearsal, which tells what would be done.
  /// - Throws: ``Problem/Code/invalidLines`` with ``Problem/lines``, and what else is refused.
  @discardableResult
  public func `import`(
    from file: URL, _ mode: ImportMode = .merge(), dryRun: Bool = false
  ) async throws(RowhouseError) -> ImportReport {
    var query: [(name: String, value: String?)] = [("dryRun", dryRun ? "true" : nil)]
    switch mode {
    case .merge(let list): query += [("mode", "merge"), ("listId", list?.rawValue)]
    case .replace: query += [("mode", "replace")]
    }
    var call = try Call.write("POST", "/v1/import", query)
    call.source = file
    call.contentType = "application/x-ndjson"
    return try await answer(call)
  }

  /// Takes a list's items into a file, as a table of comma-separated values (RFC 4180).
  ///
  /// It takes the file's place once it is complete.
  public func exportTable(of list: List.ID, to file: URL) async throws(RowhouseError) {
    var call = Call.get("/v1/lists/\(list)/rows.csv")
    call.target = file
    try await perform(call)
  }

  /// Changes and makes items of a list as a table says, all of them or none.
  ///
  /// - Parameters:
  ///   - file: values that are separated by commas, semicolons or tabs, below a line of columns.
  ///   - list: whose items have the table's ids and serial numbers, or get its new lines.
  ///   - unknownColumns: what becomes of columns that are not known.
  ///   - locations: what becomes of the column of locations.
  ///   - dryRun: whether it is a rehearsal, which tells what would be done.
  ///   - revision: refused if the list is not at it any more.
  /// - Throws: ``Problem/Code/invalidLines`` with ``Problem/lines``, and what else is refused.
  @discardableResult
  public func importTable(
    from file: URL, into list: List.ID, unknownColumns: UnknownColumns = .refuse,
    locations: TableLocations = .fields, dryRun: Bool = false, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> TableReport {
    var call = try Call.write(
      "POST", "/v1/lists/\(list)/rows.csv",
      [
        ("unknownColumns", unknownColumns == .refuse ? nil : unknownColumns.rawValue),
        ("locations", locations == .fields ? nil : locations.rawValue),
        ("dryRun", dryRun ? "true" : nil),
      ]
    ).ifMatch(revision)
    call.source = file
    call.contentType = "text/csv"
    return try await answer(call)
  }
}
