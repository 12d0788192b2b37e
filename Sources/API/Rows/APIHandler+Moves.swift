import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `POST /v1/lists/{listId}/move-row`
  func moveRow(_ request: RequestContext) throws(Problem) -> Reply {
    let (from, to, row, isStrict) = try request.input(["from", "to", "id"]) {
      query, members -> (Int, Int, RowID?, Bool)? in
      let isStrict = query.isStrict
      let (from, to) = (members.index("from"), members.index("to"))
      let row = members.identifier("id", as: RowID.self)
      guard let from, let to else { return nil }
      return (from, to, row, isStrict)
    }
    return try write(
      .moveRow(in: request.path.list, from: from, to: to, expecting: row), isStrict: isStrict,
      demandsIfMatch: row == nil && configuration.requiresPreconditions, request)
  }

  /// `GET /v1/lists/{listId}/move-target`
  func moveTarget(_ request: RequestContext) throws(Problem) -> Reply {
    let (from, to, isStrict) = try request.parameters { query -> (Int, Int, Bool)? in
      let isStrict = query.isStrict
      let expected = "An index is a whole number from 0."
      for name in ["from", "to"] where query.text(name) == nil {
        query.note(name, "Send an index, counted from 0.")
      }
      let from = query.whole("from", in: 0...Int.max, expected)
      let to = query.whole("to", in: 0...Int.max, expected)
      guard let from, let to else { return nil }
      return (from, to, isStrict)
    }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let count = try snapshot.list(request.path.list).rowCount
      guard from != count else { throw .sentinelImmovable }
      guard from < count else { throw .invalid([FieldError(["from"], "There is no such row.")]) }
      let landing = try Landing.above(
        sentinelOf: count - 1, proposed: to, isStrict: isStrict, field: ["to"])
      return request.context.object { writer in
        writer.member("from", from)
        writer.member("proposed", to)
        writer.member("to", landing.index)
      }
    }
  }

  /// `POST /v1/rows/{rowId}/move`
  func relocate(_ request: RequestContext) throws(Problem) -> Reply {
    let (list, position, isStrict) = try request.input(["listId", "position"]) { query, members in
      (members.list("listId"), members.position() ?? .last, query.isStrict)
    }
    return try write(
      .relocate(try self.row(request.path.row, request), into: list, position), isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), request)
  }

  /// `POST /v1/lists/{listId}/move-rows`
  func moveRows(_ request: RequestContext) throws(Problem) -> Reply {
    let (rows, position, isStrict) = try request.input(["ids", "position"]) { query, members in
      let isStrict = query.isStrict
      let rows = members.rows("ids") ?? []
      if members["ids"] == nil {
        members.note("ids", "Send an array of row ids.")
      } else if members["ids"] == [] {
        members.note("ids", "Send at least one id.")
      }
      var seen: Set<RowID> = []
      for (index, row) in rows where !seen.insert(row).inserted {
        members.faults.note(.member(["ids", String(index)], "Given more than once."))
      }
      return (rows, members.position() ?? .last, isStrict)
    }
    guard rows.count <= Limits.rowsMovedAtOnce else {
      throw Problem(.tooManyRows(limit: Limits.rowsMovedAtOnce))
    }
    return try write(
      .moveRows(rows.map(\.element), into: request.path.list, position), isStrict: isStrict,
      demandsIfMatch: demandsIfMatch(for: position), request)
  }

  /// `POST /v1/lists/{listId}/reorder`
  func reorder(_ request: RequestContext) throws(Problem) -> Reply {
    let order: NewOrder = try request.input(["ids", "sort"]) { _, members in
      let rows = members.rows("ids")
      let sort = members.text("sort")
      switch (members["ids"], members["sort"]) {
      case (nil, nil), (.some, .some):
        members.faults.note(.member([], "Send ids with each row's id once, or sort, not both."))
        return nil
      case (.some, nil): return rows.map { .ids($0.map(\.element)) }
      case (nil, .some):
        let order = sort.flatMap(SortOrder.init(text:))
        if sort != nil, order == nil { members.note("sort", SortOrder.expected) }
        return order.map { .sorted($0) }
      }
    }
    if case .ids(let ids) = order, ids.count > Limits.rowsReordered {
      throw Problem(.tooManyRows(limit: Limits.rowsReordered))
    }
    return try write(.reorder(request.path.list, order), request)
  }

  /// `POST /v1/lists/{listId}/batch`
  func batch(_ request: RequestContext) throws(Problem) -> Reply {
    let batch = try request.input(Batch.members) { query, members in
      Batch(
        members, isRecursive: query.flag("recursive", default: false), members.faults)
    }
    guard batch.count <= Limits.operationsInBatch else {
      throw Problem(.tooManyRows(limit: Limits.operationsInBatch))
    }
    return try write(
      .batch(request.path.list, batch),
      demandsIfMatch: batch.trustsIndices && configuration.requiresPreconditions, request)
  }
}
