import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/lists/{listId}/changes`
  func changes(of list: ListReference, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let since = query.revision("since")
    if query.text("since") == nil {
      faults.note(.parameter("since", "Send the revision that you have: ?since=41."))
    }
    try faults.check()
    guard let since else { throw .invalid(faults.all) }
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      try exchange.changes(of: list, since: since, snapshot)
    }
  }

  /// `GET /v1/lists/{listId}/events`, and `GET /v1/events` without a list.
  func events(of list: ListReference?, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    let query = try exchange.query(faults)
    let since = exchange.lastEventID(faults) ?? query.revision("since")
    try faults.check()
    guard let place = configuration.eventStreams.take() else {
      throw Problem(
        .tooManyStreams, "\(configuration.eventStreams.limit) are open.")
    }
    let (store, streams) = (store, streams)
    @Sendable func open(_ snapshot: any Snapshot) throws(InventoryError) -> EventStream {
      let caller = exchange.caller
      let revision = try snapshot.revision(for: caller)
      let id: ListID? =
        if let list { try snapshot.list(list, for: caller).id } else { nil }
      return EventStream(
        of: id, since: since ?? revision, present: revision, for: exchange.audience, in: streams,
        place)
    }
    let result = session.read(.bounded, for: exchange.requester, open) { result in
      switch store.released(result, to: exchange.caller) {
      case .success(let stream):
        exchange.responder.send(exchange.audience.response(events: stream.present), stream)
      case .failure(let error):
        exchange.responder.send(exchange.audience.response(exchange.problem(error)))
      }
    }
    switch result {
    case .success(let stream):
      return .stream(exchange.audience.response(events: stream.present), stream)
    case .failure(let error):
      return .response(exchange.audience.response(exchange.problem(error)))
    case nil: return .deferred
    }
  }
}

extension Exchange {
  /// What a client of events that was cut off says it has had last; it knows better than the query that it was
  /// made with.
  fileprivate func lastEventID(_ faults: Faults) -> Revision? {
    guard let text = head.fields["last-event-id"], !text.isEmpty else { return nil }
    guard let number = Int(digits: text), number >= 0 else {
      faults.note(.parameter("Last-Event-ID", "Send a revision, 0 or more."))
      return nil
    }
    return Revision(Int64(number))
  }

  /// The list's delta since a revision.
  fileprivate func changes(
    of list: ListReference, since: Revision, _ snapshot: any Snapshot
  ) throws(InventoryError) -> Response {
    let present = try snapshot.list(list, for: caller)
    let history = try snapshot.history(for: caller)
    func resync(_ detail: String, at revision: Revision) -> Response {
      audience.response(Problem(.resync, detail, extensions: [.revision(revision)]))
    }
    guard
      since <= history.upperBound, since >= history.lowerBound || since >= present.revision
    else {
      return resync(
        since > history.upperBound
          ? "There is no revision \(since) yet."
          : "The history before \(history.lowerBound) is gone.", at: history.upperBound)
    }
    if holds(present.revision) { return audience.notModified(present.revision) }
    let delta = try snapshot.delta(of: list, since: since, for: caller)
    if delta.content == .absent {
      // The list's own revision says nothing of what is outside of a caller's sight.
      return resync("The list was made after revision \(since).", at: present.revision)
    }
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.key("listId")
    writer.id(present.id)
    writer.key("revision")
    writer.int(present.revision.number)
    writer.key("deltas")
    writer.beginArray()
    writer.delta(delta, for: audience)
    writer.endArray()
    writer.endObject()
    return audience.response(json: writer.finish(), revision: present.revision)
  }
}
