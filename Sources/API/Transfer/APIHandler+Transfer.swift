import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/export`
  func exportInventory(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let list = try exchange.query(faults).list("listId")
    try faults.check()
    let spools = configuration.spools
    return try send(list, as: "application/x-ndjson", named: "inventory.ndjson", exchange) {
      (snapshot) throws(InventoryError) in
      try Export.spool(list, from: snapshot, for: exchange.caller, in: spools)
    }
  }

  /// Sends what is written of a list into a spool from one committed revision, for as long as the caller sees the list.
  func send(
    _ list: ListReference, as type: String, named name: String, _ exchange: Exchange,
    _ write: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Spool
  ) throws(Problem) -> Reply {
    let (store, audience) = (store, exchange.audience)
    let sight = ListSight(of: list, for: audience.caller, in: store, by: session)
    let result = session.read(
      .everything, for: exchange.requester,
      write,
      later: { result in
        switch store.released(result, to: audience.caller) {
        case .success(let spool):
          exchange.responder.send(
            audience.file(type, named: name), SpoolSource(spool, while: sight))
        case .failure(let error):
          exchange.responder.send(audience.response(exchange.problem(error)))
        }
      })
    switch result {
    case nil: return .deferred
    case .success(let spool)?:
      return .stream(audience.file(type, named: name), SpoolSource(spool, while: sight))
    case .failure(let error)?: throw exchange.problem(error)
    }
  }

  /// `POST /v1/import`, before its body comes.
  func admitImport(
    _ head: RequestHead, _ audience: Audience, _ route: RouteDescription
  ) -> Admission {
    do throws(Problem) {
      let options = try importOptions(head, route)
      let hasKey = try IdempotencyKey(head.fields) != nil
      let unseen = unseen(options.list, for: audience.caller)
      // With a key the import may have been made before the list went.
      if let unseen, !hasKey { throw unseen }
      try Body.requireType(of: head, among: TransferFormat.mediaTypes)
      // Before gigabytes come that are refused in the end.
      guard audience.caller.role >= .editor else {
        throw Problem(InventoryError.roleForbids(needed: .editor))
      }
      let spool: Spool
      do throws(Spool.Failure) { spool = try Spool(in: configuration.spools) } catch {
        if case .outOfDescriptors(let cause) = error.inventoryError {
          configuration.onSpoolFault(cause)
        }
        throw Problem(error.inventoryError)
      }
      let (store, turns) = (store, configuration.imports)
      return .stream(
        ImportReceiver(
          spool, limit: configuration.bodies.size(.streamed), writtenBy: configuration.spooling,
          audience, isHashed: hasKey, refusal: { store.refusal(of: audience.caller) }
        ) { spool, digest, responder in
          let exchange = Exchange(
            request: Request(head: head), responder: responder, route: route, audience: audience,
            maximumDepth: 0)
          return turns.start(
            spool.count, isInMemory: false, for: exchange.requester, audience, responder
          ) {
            Self.importInventory(spool, digest, options, store, exchange, unless: unseen)
          }
        })
    } catch { return .respond(audience.response(error)) }
  }

  /// `POST /v1/import` without a body.
  func importNothing(_ exchange: Exchange) throws(Problem) -> Reply {
    _ = try importOptions(exchange.head, exchange.route)
    throw .invalid(lines: [LineFault(1, nil, "The body is missing. Send an export.")])
  }

  private func importOptions(
    _ head: RequestHead, _ route: RouteDescription
  ) throws(Problem) -> Import.Options {
    let faults = Faults()
    let query = try Query(head, known: route.parameters, faults)
    let list = query.list("listId")
    let isRehearsal = query.flag("dryRun", default: false)
    var mode = Import.Mode.merge
    if let text = query.text("mode") {
      if let given = Import.Mode(rawValue: text) {
        mode = given
      } else {
        faults.note(.parameter("mode", "Send merge or replace."))
      }
    }
    if mode == .replace, query.text("listId") != nil {
      faults.note(.parameter("listId", "Use listId only with mode=merge."))
    }
    try faults.check()
    var options = Import.Options(mode: mode, isRehearsal: isRehearsal, list: list)
    options.largestPhoto = configuration.bodies.photo
    options.depth = configuration.bodies.depth
    return options
  }

  /// What says that the caller does not see the list, where the store can tell at once.
  func unseen(_ list: ListReference, for caller: Caller) -> Problem? {
    let result = session.read(
      .bounded, { (snapshot) throws(InventoryError) in _ = try snapshot.list(list, for: caller) },
      later: { _ in })
    if case .failure(let error)? = result { return Problem(error) }
    return nil
  }

  /// - Parameter refusal: the answer unless the same import has been answered before.
  private static func importInventory(
    _ spool: Spool, _ digest: [UInt8]?, _ options: Import.Options, _ store: any Store,
    _ exchange: Exchange, unless refusal: Problem?
  ) -> Response {
    let audience = exchange.audience
    let context = WriteContext(caller: audience.caller, requestID: audience.requestID)
    var run = Import(options, store: store, context: context)
    defer { spool.giveBack() }
    do throws(Import.Failure) {
      do throws(Problem) {
        let kept = try recall(store, context, exchange) { () throws(Problem) in
          try exchange.retry(sending: digest) { _ in Response(status: 204) }
        }
        if let kept { return kept }
        if let refusal { throw refusal }
      } catch { throw Import.Failure(problem: error) }
      try run.take(spool)
      let report = try run.finish { (report) throws(Import.Failure) in
        try retry(digest, exchange) { audience.response(report($0), isRehearsal: false) }
      }
      if let kept = report.kept, let replayed = exchange.replayed(kept) { return replayed }
      return audience.response(report, isRehearsal: options.isRehearsal)
    } catch {
      run.abandon()
      return audience.response(error.problem)
    }
  }

  /// The answer that the same write was given before, if it was: then nothing of it need be looked at.
  static func recall(
    _ store: any Store, _ context: WriteContext, _ exchange: Exchange,
    _ retry: () throws(Problem) -> Retry?
  ) throws(Problem) -> Response? {
    var context = context
    context.retry = try retry()
    guard context.retry != nil else { return nil }
    switch store.submit(.recall, context).wait() {
    case .success(let outcome): return outcome.kept.flatMap(exchange.replayed)
    // The caller's own list may have gone, which is told by what comes next.
    case .failure(.notFound), .failure(.inTrash): return nil
    case .failure(let error): throw Problem(error)
    }
  }
}

extension APIHandler {
  private static func retry(
    _ digest: [UInt8]?, _ exchange: Exchange, _ encode: @escaping @Sendable (Outcome) -> Response
  ) throws(Import.Failure) -> Retry? {
    do throws(Problem) { return try exchange.retry(sending: digest, encode) } catch {
      throw Import.Failure(problem: error)
    }
  }
}

extension Import {
  private static let piece = 256 << 10

  /// Takes all that a spool holds.
  fileprivate mutating func take(_ spool: Spool) throws(Failure) {
    var offset = 0
    var piece: [UInt8] = []
    while offset < spool.count {
      piece.removeAll(keepingCapacity: true)
      do throws(Spool.Failure) {
        try spool.read(at: offset, limit: Self.piece, into: &piece)
      } catch { throw Failure(problem: Problem(error.inventoryError)) }
      offset += piece.count
      try take(piece)
    }
  }
}

extension Audience {
  fileprivate func response(_ report: Import.Report, isRehearsal: Bool) -> Response {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.key("revision")
    writer.int(report.receipt.revision.number)
    writer.key("lists")
    writer.int(report.lists)
    writer.key("items")
    writer.int(report.items)
    writer.key("photos")
    writer.int(report.photos)
    writer.transferMembers(report.counts, report.receipt, isRehearsal: isRehearsal, for: self)
    writer.endObject()
    return transferred(writer.finish(), report.receipt, isRehearsal: isRehearsal)
  }

  func transferred(_ json: [UInt8], _ receipt: Receipt, isRehearsal: Bool) -> Response {
    var response = response(json: json)
    if !isRehearsal {
      response.fields.append("Rowhouse-Revision", String(receipt.revision.number))
    }
    return response
  }
}

extension JSONWriter {
  /// What was made and changed, or would be; a rehearsal has no receipt.
  mutating func transferMembers(
    _ counts: TransferCounts, _ receipt: Receipt, isRehearsal: Bool, for audience: Audience
  ) {
    key("created")
    int(counts.created)
    key("updated")
    int(counts.updated)
    key("dryRun")
    bool(isRehearsal)
    key("receipt")
    if isRehearsal { null() } else { self.receipt(receipt, for: audience) }
  }
}
