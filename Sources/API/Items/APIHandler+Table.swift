import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/lists/{listId}/rows.csv`
  func exportTable(_ request: RequestContext) throws(Problem) -> Reply {
    let list = request.path.list
    let isSubtree = try request.parameters { $0.flag("subtree", default: false) }
    let spools = configuration.spools
    return send(
      list, as: "text/csv; charset=utf-8; header=present", named: "rows.csv", request
    ) {
      (snapshot) throws(InventoryError) in
      var output = try SpoolWriter(in: spools, for: request.caller, request.requester)
      var writer = CSVWriter()
      let columns = ItemColumn.standard + (isSubtree ? [ItemColumn.location] : [])
      writer.record(columns.map(\.name))
      try output.take(&writer)
      func take(
        _ item: TransferredItem, in location: String? = nil
      ) throws(InventoryError) {
        writer.record(columns.map { item.cell($0.column, in: location) })
        try output.take(&writer)
      }
      if isSubtree {
        var location = TransferLocation()
        try snapshot.transfer(of: list) { (record) throws(InventoryError) in
          location.enter(record)
          if case .item(let item) = record { try take(item, in: location.text) }
        }
      } else {
        try snapshot.items(of: list) { (item) throws(InventoryError) in try take(item) }
      }
      try output.flush()
      return output.spool
    }
  }

  /// `POST /v1/lists/{listId}/rows.csv`
  func importTable(_ request: RequestContext) throws(Problem) -> Reply {
    let list = request.path.list
    // A list that the caller may not see is `notFound`, even if the table is invalid or the server busy.
    let unseen = unseen(list, for: request.caller)
    // A retry gets its stored response even if the list has been deleted since.
    if let unseen, request.head.fields["idempotency-key"] == nil { throw unseen }
    let (isDryRun, takesUnknown, makesRooms, given) = try request.parameters { query in
      let isDryRun = query.flag("dryRun", default: false)
      let takesUnknown = query.value("unknownColumns", "Send refuse or fields.") { text in
        ["refuse": false, "fields": true][text]
      }
      let makesRooms = query.value("locations", "Send fields or rooms.") { text in
        ["fields": false, "rooms": true][text]
      }
      let given = query.value("columns", Self.columnMeanings, ItemColumn.meanings)
      return (isDryRun, takesUnknown ?? false, makesRooms, given ?? [:])
    }
    let charset = try Body.requireType(
      of: request.head, among: ["text/csv", "text/tab-separated-values"], in: TableCharset.names)
    let condition = try request.ifMatch()
    let (store, context) = (store, request.context)
    return configuration.imports.start(
      request.body.count, isInMemory: true, for: request.requester, context,
      send: { request.send($0) }
    ) {
      do throws(Problem) {
        let bare = WriteContext(caller: request.caller, requestID: context.requestID)
        let kept = try Self.recall(store, bare, request) { () throws(Problem) in
          try request.retry { _ in Response(status: 204) }
        }
        if let kept { return kept }
        if let unseen { throw unseen }
        let table = try ItemTable(
          request.body, charset: charset, takesUnknown: takesUnknown, makesRooms: makesRooms,
          given: given, currency: try Self.currency(of: store, for: request.caller),
          maximumDepth: request.maximumDepth)
        guard table.faults.isEmpty else {
          throw table.problem(table.faults + table.laterFaults(in: list, store, bare))
        }
        let read = (
          rows: table.upserts.count, charset: table.charset, fields: table.unknownFields
        )
        var write = bare
        write.ifMatch = condition
        write.retry = try request.retry { context.response($0, of: read, isDryRun: false) }
        write.isDryRun = isDryRun
        write.isGone = request.requester.isGone
        let outcome: Outcome
        do throws(InventoryError) {
          outcome = try store.submit(.upsertItems(table.upserts, in: list), write).wait().get()
        } catch .invalidLines(let fieldErrors) {
          throw table.problem(fieldErrors.map(table.fault))
        } catch { throw Problem(error) }
        if let replayed = outcome.kept.flatMap(request.replayed) { return replayed }
        return context.response(outcome, of: read, isDryRun: isDryRun)
      } catch { return context.response(error) }
    }
  }
}

extension APIHandler {
  fileprivate static let columnMeanings =
    "Send a JSON object with the names of columns, each with one of "
    + (ItemColumn.standard + [ItemColumn.location]).map(\.name).joined(separator: ", ")
    + ", fields.NAME, ignore."

  fileprivate static func currency(
    of store: any Store, for caller: Caller
  ) throws(Problem) -> Currency? {
    do throws(InventoryError) {
      return try store.makeSession().read(as: caller) { (snapshot) throws(InventoryError) in
        try snapshot.appearance().appearance.currency
      }.get()
    } catch { throw Problem(error) }
  }
}

extension ItemColumn {
  /// The columns in the text of the parameter `columns`; nil if the text is invalid.
  fileprivate static func meanings(_ text: String) -> [String: ItemColumn]? {
    guard case .object(let object)? = try? JSONReader.parse(Array(text.utf8), maximumDepth: 1)
    else { return nil }
    var columns: [String: ItemColumn] = [:]
    for (name, value) in object.members {
      guard case .string(let meaning) = value, let column = ItemColumn(meaning: meaning) else {
        return nil
      }
      columns[name] = column
    }
    return columns
  }
}

extension ItemTable {
  /// The refusal for these errors. It names the custom fields that unknown columns would become.
  fileprivate func problem(_ faults: [FieldError]) -> Problem {
    var problem = Problem.invalid(lines: faults)
    if !unknownFields.isEmpty { problem.extensions.append(.fields(unknownFields)) }
    return problem
  }

  /// The rule violations in lines that could be parsed, so that one response reports all errors.
  fileprivate func laterFaults(
    in list: ListReference, _ store: any Store, _ bare: WriteContext
  ) -> [FieldError] {
    let unread = Set(faults.map(\.line))
    let sound = upserts.filter { !unread.contains($0.line) }
    guard !sound.isEmpty, faults.count < Limits.reportedErrors else { return [] }
    var write = bare
    write.isDryRun = true
    guard
      case .failure(.invalidLines(let fieldErrors)) =
        store.submit(.upsertItems(sound, in: list), write).wait()
    else { return [] }
    return fieldErrors.map(fault)
  }
}

extension ResponseContext {
  fileprivate func response(
    _ outcome: Outcome, of read: (rows: Int, charset: String, fields: [String]), isDryRun: Bool
  ) -> Response {
    transferred(
      outcome.counts ?? TransferCounts(), outcome.receipt, isDryRun: isDryRun
    ) { writer in
      writer.member("items", read.rows)
      writer.member("charset", read.charset)
      writer.array("fields", read.fields) { $0.string($1) }
    }
  }
}

extension SpoolWriter {
  fileprivate mutating func take(_ writer: inout CSVWriter) throws(InventoryError) {
    try writer.bytes.withUnsafeBufferPointer { (bytes) throws(InventoryError) in
      try append(bytes)
    }
    writer.removeAll()
  }
}
