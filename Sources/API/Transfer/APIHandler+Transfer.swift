import HTTP
import Inventory
import JSON

extension Route {
  static let transfer = [
    Route(.get, "/v1/export", query: ["listId"], APIHandler.exportInventory),
    Route(
      .post, "/v1/import", query: ["mode", "dryRun", "listId"], body: .streamed,
      isUnconditional: true, receive: APIHandler.receiveImport, APIHandler.importNothing),
    Route(.get, "/v1/lists/{listId}/rows.csv", query: ["subtree"], APIHandler.exportTable),
    Route(
      .post, "/v1/lists/{listId}/rows.csv",
      query: ["dryRun", "unknownColumns", "locations", "columns"],
      body: .table, APIHandler.importTable),
  ]
}

extension APIHandler {
  /// `GET /v1/export`
  func exportInventory(_ request: RequestContext) throws(Problem) -> Reply {
    let list = try request.parameters { $0.list("listId") }
    let spools = configuration.spools
    return send(list, as: "application/x-ndjson", named: "inventory.ndjson", request) {
      (snapshot) throws(InventoryError) in
      try Export.spool(list, from: snapshot, in: spools, for: request.caller)
    }
  }

  /// Writes a list to a spool from one committed revision and sends it while the caller can see the list.
  func send(
    _ list: ListReference, as type: String, named name: String, _ request: RequestContext,
    _ write: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Spool
  ) -> Reply {
    let sight = ListSight(of: list, for: request.caller, in: store, by: session)
    return read(.everything, request) { (snapshot) throws(InventoryError) in
      request.context.file(
        type, named: name, SpoolSource(try write(snapshot), while: sight))
    }
  }

  /// `POST /v1/import`, before its body: checks the head.
  func receiveImport(_ request: RequestContext) throws(Problem) -> any BodyReceiver {
    let options = try importOptions(request)
    let hasKey = try IdempotencyKey(request.head.fields) != nil
    let unseen = unseen(options.list, for: request.caller)
    // A retry gets its stored response even if the list has been deleted since.
    if let unseen, !hasKey { throw unseen }
    try Body.requireType(of: request.head, among: TransferFormat.mediaTypes)
    // Checked before gigabytes arrive that would be refused.
    guard request.caller.role >= .editor else {
      throw Problem(InventoryError.roleForbids(needed: .editor))
    }
    let spool: Spool
    do throws(Spool.Failure) {
      spool = try Spool(in: configuration.spools, for: request.caller)
    } catch {
      if case .outOfDescriptors(let cause) = error.inventoryError {
        configuration.onSpoolFault(cause)
      }
      throw Problem(error.inventoryError)
    }
    let (store, turns) = (store, configuration.imports)
    return ImportReceiver(
      spool, limit: configuration.bodies.size(.streamed), writtenBy: configuration.spooling,
      request.context, isHashed: hasKey, refusal: { store.refusal(of: request.caller) }
    ) { spool, digest, responder in
      let request = request.completed(by: responder)
      return turns.start(
        spool.count, isInMemory: false, for: request.requester, request.context,
        send: { request.send($0) }
      ) {
        Self.importInventory(spool, digest, options, store, request, unless: unseen)
      }
    }
  }

  /// `POST /v1/import` without a body.
  func importNothing(_ request: RequestContext) throws(Problem) -> Reply {
    _ = try importOptions(request)
    throw .invalid(line: 1, "The body is missing. Send an export.")
  }

  private func importOptions(_ request: RequestContext) throws(Problem) -> Import.Options {
    var options = try request.parameters { query in
      let list = query.list("listId")
      let isDryRun = query.flag("dryRun", default: false)
      let mode = query.value("mode", "Send merge or replace.", Import.Mode.init) ?? .merge
      if mode == .replace, query.text("listId") != nil {
        query.note("listId", "Use listId only with mode=merge.")
      }
      return Import.Options(mode: mode, isDryRun: isDryRun, list: list)
    }
    options.largestPhoto = configuration.bodies.photo
    options.depth = configuration.bodies.depth
    return options
  }

  /// The problem if the caller cannot see the list and the store can tell at once.
  func unseen(_ list: ListReference, for caller: Caller) -> Problem? {
    let result = session.read(
      .bounded, as: caller,
      { (snapshot) throws(InventoryError) in _ = try snapshot.list(list) },
      later: { _ in })
    if case .failure(let error)? = result { return Problem(error) }
    return nil
  }

  /// - Parameter refusal: the problem to answer with, unless the import is a retry.
  private static func importInventory(
    _ spool: Spool, _ digest: [UInt8]?, _ options: Import.Options, _ store: any Store,
    _ request: RequestContext, unless refusal: Problem?
  ) -> Response {
    let context = request.context
    let write = WriteContext(caller: context.caller, requestID: context.requestID)
    var run = Import(options, store: store, context: write)
    defer { spool.giveBack() }
    do throws(Problem) {
      let kept = try recall(store, write, request) { () throws(Problem) in
        try request.retry(sending: digest) { _ in Response(status: 204) }
      }
      if let kept { return kept }
      if let refusal { throw refusal }
      try run.take(spool)
      let report = try run.finish { (report) throws(Problem) in
        try request.retry(sending: digest) { context.response(report($0), isDryRun: false) }
      }
      if let kept = report.kept, let replayed = request.replayed(kept) { return replayed }
      return context.response(report, isDryRun: options.isDryRun)
    } catch {
      run.abandon()
      return context.response(error)
    }
  }

  /// The stored response of a retried write. Its body then need not be read.
  static func recall(
    _ store: any Store, _ context: WriteContext, _ request: RequestContext,
    _ retry: () throws(Problem) -> IdempotentRequest?
  ) throws(Problem) -> Response? {
    var context = context
    context.retry = try retry()
    guard context.retry != nil else { return nil }
    switch store.submit(.recall, context).wait() {
    case .success(let outcome): return outcome.kept.flatMap(request.replayed)
    // The list may have been deleted. The caller's next step reports that.
    case .failure(.notFound), .failure(.inTrash): return nil
    case .failure(let error): throw Problem(error)
    }
  }
}

extension Import {
  private static let piece = 256 << 10

  /// Reads the whole spool.
  fileprivate mutating func take(_ spool: Spool) throws(Problem) {
    var offset = 0
    var piece: [UInt8] = []
    while offset < spool.count {
      piece.removeAll(keepingCapacity: true)
      do throws(Spool.Failure) {
        try spool.read(at: offset, limit: Self.piece, into: &piece)
      } catch { throw Problem(error.inventoryError) }
      offset += piece.count
      try take(piece)
    }
  }
}

extension ResponseContext {
  fileprivate func response(_ report: Import.Report, isDryRun: Bool) -> Response {
    transferred(report.counts, report.receipt, isDryRun: isDryRun) { writer in
      writer.member("lists", report.lists)
      writer.member("items", report.items)
      writer.member("photos", report.photos)
    }
  }

  /// The numbers of created and updated rows, and the receipt. A dry run has no receipt.
  ///
  /// - Parameter write: writes the members with the contents of the import or the table.
  func transferred(
    _ counts: TransferCounts, _ receipt: Receipt, isDryRun: Bool,
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var response = object { writer in
      writer.member("revision", receipt.revision.number)
      write(&writer)
      writer.member("created", counts.created)
      writer.member("updated", counts.updated)
      writer.member("dryRun", isDryRun)
      writer.key("receipt")
      if isDryRun { writer.null() } else { writer.receipt(receipt, for: self) }
    }
    if !isDryRun {
      response.fields.append("Rowhouse-Revision", String(receipt.revision.number))
    }
    return response
  }
}
