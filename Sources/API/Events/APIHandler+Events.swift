import HTTP
import Inventory
import JSON

extension Route {
  static let events = [
    Route(.get, "/v1/lists/{listId}/changes", query: ["since"], APIHandler.changes),
    Route(.get, "/v1/lists/{listId}/events", query: ["since"], APIHandler.listEvents),
    Route(.get, "/v1/events", query: ["since"], APIHandler.events),
  ]
}

extension APIHandler {
  /// `GET /v1/lists/{listId}/changes`
  func changes(_ request: RequestContext) throws(Problem) -> Reply {
    let since = try request.parameters { query in
      if query.text("since") == nil {
        query.note("since", "Send the revision that you have: ?since=41.")
      }
      return query.revision("since")
    }
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      try request.changes(of: request.path.list, since: since, snapshot)
    }
  }

  /// `GET /v1/lists/{listId}/events`
  func listEvents(_ request: RequestContext) throws(Problem) -> Reply {
    try events(of: request.path.list, request)
  }

  /// `GET /v1/events`
  func events(_ request: RequestContext) throws(Problem) -> Reply {
    try events(of: nil, request)
  }

  /// - Parameter list: the list to follow. Nil: all lists.
  private func events(of list: ListReference?, _ request: RequestContext) throws(Problem) -> Reply {
    let since: Revision? = try request.parameters { query in
      .some(request.lastEventID(query) ?? query.revision("since"))
    }
    let limit = configuration.eventStreams
    guard let place = limit.take(for: request.caller) else {
      // Not the number that is open: it would tell what other inventories' callers do.
      throw Problem(
        .tooManyStreams,
        "The server has at most \(limit.limit) event streams. A token has no more than are free, an inventory no more "
          + "than three quarters.")
    }
    let streams = streams
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let revision = try snapshot.revision()
      let id: ListID? =
        if let list { try snapshot.list(list).id } else { nil }
      return request.context.response(
        events: EventStream(
          of: id, since: since ?? revision, present: revision, for: request.context, in: streams,
          place))
    }
  }
}

extension RequestContext {
  /// The last event id of a reconnecting client. It takes precedence over `since` in the query, which is as old as the
  /// first connection.
  fileprivate func lastEventID(_ query: Query) -> Revision? {
    guard let text = head.fields["last-event-id"], !text.isEmpty else { return nil }
    guard let number = Int(digits: text), number >= 0 else {
      query.note("Last-Event-ID", "Send a revision, 0 or more.")
      return nil
    }
    return Revision(Int64(number))
  }

  /// The list's delta since a revision.
  fileprivate func changes(
    of list: ListReference, since: Revision, _ snapshot: any Snapshot
  ) throws(InventoryError) -> Response {
    let present = try snapshot.list(list)
    let history = try snapshot.history()
    func resync(_ detail: String, at revision: Revision) -> Response {
      context.response(Problem(.resync, detail, extensions: [.revision(revision)]))
    }
    guard
      since <= history.upperBound, since >= history.lowerBound || since >= present.revision
    else {
      return resync(
        since > history.upperBound
          ? "There is no revision \(since) yet."
          : "The history before \(history.lowerBound) is gone.", at: history.upperBound)
    }
    if holds(present.revision) { return context.notModified(present.revision) }
    let delta = try snapshot.delta(of: list, since: since)
    if delta.content == .absent {
      // Not the inventory's revision: the caller may not see the changes outside of its own list.
      return resync("You could not see this list at revision \(since).", at: present.revision)
    }
    let body = JSONWriter.bytes { writer in
      writer.object { writer in
        writer.member("listId", present.id)
        writer.member("revision", present.revision.number)
        writer.objects("deltas", [delta]) { $0.deltaMembers($1, for: context) }
      }
    }
    return context.response(json: body, revision: present.revision)
  }
}
