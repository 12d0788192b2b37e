import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `POST /v1/lists/{listId}/move-row`
  func moveRow(_ request: RequestContext) throws(Problem) -> Reply {
    let faults = FieldErrors()
    let query = try request.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(try request.json(), known: ["from", "to", "id"], faults)
    let from = members.index("from")
    let to = members.index("to")
    let row: RowID? = members.identifier("id")
    try faults.check()
    guard let from, let to else { throw .invalid(faults.all) }
    return try write(
      .moveRow(in: request.path.list, from: from, to: to, expecting: row), isStrict: isStrict,
      demandsIfMatch: row == nil && configuration.requiresPreconditions, request)
  }

  /// `GET /v1/lists/{listId}/move-target`
  func moveTarget(_ request: RequestContext) throws(Problem) -> Reply {
    let faults = FieldErrors()
    let query = try request.query(faults)
    let isStrict = query.flag("strict", default: false)
    let expected = "An index is a whole number from 0."
    for name in ["from", "to"] where query.text(name) == nil {
      faults.note(.parameter(name, "Send an index, counted from 0."))
    }
    let from = query.whole("from", in: 0...Int.max, expected)
    let to = query.whole("to", in: 0...Int.max, expected)
    try faults.check()
    guard let from, let to else { throw .invalid(faults.all) }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let count = try snapshot.list(request.path.list).rowCount
      guard from != count else { throw .sentinelImmovable }
      guard from < count else { throw .invalid([FieldError(["from"], "There is no such row.")]) }
      let landing = try Landing.above(
        sentinelOf: count - 1, proposed: to, isStrict: isStrict, field: ["to"])
      var writer = JSONWriter(capacity: 64)
      writer.beginObject()
      writer.member("from", from)
      writer.member("proposed", to)
      writer.member("to", landing.index)
      writer.endObject()
      return request.context.response(json: writer.finish())
    }
  }

  /// `POST /v1/rows/{rowId}/move`
  func relocate(_ request: RequestContext) throws(Problem) -> Reply {
    let faults = FieldErrors()
    let query = try request.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(try request.json(), known: ["listId", "position"], faults)
    let list = members.list("listId")
    let position = members.position() ?? .last
    try faults.check()
    return try write(
      .relocate(try self.row(request.path.row, request), into: list, position), isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), request)
  }

  /// `POST /v1/lists/{listId}/move-rows`
  func moveRows(_ request: RequestContext) throws(Problem) -> Reply {
    let faults = FieldErrors()
    let query = try request.query(faults)
    let isStrict = query.flag("strict", default: false)
    let members = Members(try request.json(), known: ["ids", "position"], faults)
    let rows = members.rows("ids") ?? []
    if members["ids"] == nil {
      members.note("ids", "Send an array of row ids.")
    } else if members["ids"] == [] {
      members.note("ids", "Send at least one id.")
    }
    var seen: Set<RowID> = []
    for (index, row) in rows where !seen.insert(row).inserted {
      faults.note(.member(["ids", String(index)], "Given more than once."))
    }
    let position = members.position() ?? .last
    try faults.check()
    guard rows.count <= Limits.rowsMovedAtOnce else {
      throw Problem(.tooManyRows(limit: Limits.rowsMovedAtOnce))
    }
    return try write(
      .moveRows(rows.map(\.element), into: request.path.list, position), isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), request)
  }

  /// `POST /v1/lists/{listId}/reorder`
  func reorder(_ request: RequestContext) throws(Problem) -> Reply {
    let faults = FieldErrors()
    _ = try request.query(faults)
    let members = Members(try request.json(), known: ["ids", "sort"], faults)
    let rows = members.rows("ids")
    let sort = members.text("sort")
    let order: NewOrder
    switch (members["ids"], members["sort"]) {
    case (nil, nil), (.some, .some):
      faults.note(.member([], "Send ids with each row's id once, or sort, not both."))
      throw .invalid(faults.all)
    case (.some, nil): order = .ids((rows ?? []).map(\.element))
    case (nil, .some):
      let parsed = sort.flatMap(SortOrder.init(text:))
      if sort != nil, parsed == nil {
        members.note("sort", SortOrder.expected)
      }
      order = .sorted(parsed ?? SortOrder(key: .title))
    }
    try faults.check()
    if let rows, rows.count > Limits.rowsReordered {
      throw Problem(.tooManyRows(limit: Limits.rowsReordered))
    }
    return try write(.reorder(request.path.list, order), request)
  }
}

extension APIHandler {
  /// `POST /v1/lists/{listId}/batch`
  func batch(_ request: RequestContext) throws(Problem) -> Reply {
    let faults = FieldErrors()
    let query = try request.query(faults)
    let isRecursive = query.flag("recursive", default: false)
    let members = Members(try request.json(), known: Batch.members, faults)
    let batch = Batch(members, isRecursive: isRecursive, faults)
    try faults.check()
    guard batch.count <= Limits.operationsInBatch else {
      throw Problem(.tooManyRows(limit: Limits.operationsInBatch))
    }
    return try write(
      .batch(request.path.list, batch),
      demandsIfMatch: batch.trustsIndices && configuration.requiresPreconditions, request)
  }
}
