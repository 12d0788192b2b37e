import Foundation

extension Rowhouse {
  /// Exports everything, photos too, or a list with everything below it, to a file of JSON lines.
  ///
  /// The data are never in memory as a whole. The file is replaced once the export is complete.
  public func export(_ list: List.ID? = nil, to file: URL) async throws(RowhouseError) {
    var call = Call.get("/v1/export", [("listId", list?.rawValue)])
    call.target = file
    try await perform(call)
  }

  /// Imports an export of any size, all or nothing.
  ///
  /// - Parameters:
  ///   - file: A file from ``export(_:to:)``.
  ///   - mode: What happens to existing rows.
  ///   - dryRun: Whether to report only what an import would do.
  /// - Throws: ``Problem/Code/invalidLines`` with ``Problem/lines``, and other refusals.
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

  /// Exports a list's items to a file, as a table of comma-separated values (RFC 4180).
  ///
  /// The file is replaced once the export is complete.
  ///
  /// - Parameters:
  ///   - list: The list whose items are exported.
  ///   - file: Where the table is written.
  ///   - subtree: Whether to include the items of all lists below, with a column for their locations.
  public func exportTable(
    of list: List.ID, to file: URL, subtree: Bool = false
  ) async throws(RowhouseError) {
    var call = Call.get("/v1/lists/\(list)/rows.csv", [("subtree", subtree ? "true" : nil)])
    call.target = file
    try await perform(call)
  }

  /// Changes and creates items of a list from a table, all or nothing.
  ///
  /// - Parameters:
  ///   - file: Values separated by commas, semicolons or tabs, below a line of column names.
  ///   - list: Its items are matched by id, reference and serial number. With `.rooms`, so are items in lists below it.
  ///     New items are added to it, or with `.rooms` to the lists that their lines name.
  ///   - columns: What columns of the table are, by their names in its first line: `name`, `quantity` and the other
  ///     names of an exported table, `fields.NAME` for a custom field, or `ignore`.
  ///   - unknownColumns: What happens to unknown columns.
  ///   - locations: What happens to the column of locations. Nil: `.rooms` for a table that was exported with
  ///     `subtree`, and `.fields` for others.
  ///   - dryRun: Whether to report only what an import would do.
  ///   - revision: If the list has another revision, the call is refused.
  /// - Throws: ``Problem/Code/invalidLines`` with ``Problem/lines``, and other refusals.
  @discardableResult
  public func importTable(
    from file: URL, into list: List.ID, columns: [String: String] = [:],
    unknownColumns: UnknownColumns = .refuse,
    locations: TableLocations? = nil, dryRun: Bool = false, ifAt revision: Int? = nil
  ) async throws(RowhouseError) -> TableReport {
    let text = (try? JSONEncoder().encode(columns)).map { String(decoding: $0, as: UTF8.self) }
    var call = try Call.write(
      "POST", "/v1/lists/\(list)/rows.csv",
      [
        ("columns", columns.isEmpty ? nil : text),
        ("unknownColumns", unknownColumns == .refuse ? nil : unknownColumns.rawValue),
        ("locations", locations?.rawValue),
        ("dryRun", dryRun ? "true" : nil),
      ]
    ).ifMatch(revision)
    call.source = file
    call.contentType = "text/csv"
    return try await answer(call)
  }
}
