/// Keeps the rows of a list for one reader of its mirror, and computes each update on demand.
actor ListFollower: ListFollowing {
  private let mirror: ListMirror
  private let rowhouse: Rowhouse
  private let inbox: ListInbox
  private var mirrored: MirroredList?
  private var rowsGiven: [Row] = []
  private var listening: Task<Void, Never>?
  private var isOver = false

  private typealias Outcome = (mirrored: MirroredList, change: ListUpdate.Change)

  init(_ mirror: ListMirror, _ rowhouse: Rowhouse, _ inbox: ListInbox) {
    self.mirror = mirror
    self.rowhouse = rowhouse
    self.inbox = inbox
  }

  deinit {
    listening?.cancel()
    mirror.forget(inbox)
  }

  /// The next update; nil after the last one, or if the task is cancelled.
  func next() async throws(RowhouseError) -> ListUpdate? {
    if isOver || Task.isCancelled { return nil }
    do throws(RowhouseError) {
      guard let mirrored else {
        let loaded = try await load()
        listen(behind: loaded)
        return await give((loaded, .all))
      }
      while let message = try await inbox.next() {
        if let outcome = try await outcome(of: message, mirrored) { return await give(outcome) }
      }
      end()
      return Task.isCancelled ? nil : ListUpdate(.gone, of: mirrored)
    } catch {
      end()
      if Task.isCancelled { return nil }
      // The list was deleted between two reads.
      guard let mirrored, error.tellsOfLoss else { throw error }
      return ListUpdate(.gone, of: mirrored)
    }
  }

  /// Ends the stream now, not only when the reader releases this follower.
  private func end() {
    isOver = true
    listening?.cancel()
    mirror.forget(inbox)
  }

  private func listen(behind loaded: MirroredList) {
    let events = rowhouse.events(of: loaded.list.id, since: loaded.revision)
    let inbox = inbox
    listening = Task { await inbox.deliver(events) }
  }

  private func give(_ outcome: Outcome) async -> ListUpdate {
    mirrored = outcome.mirrored
    let update = ListUpdate(outcome.change, of: outcome.mirrored, after: rowsGiven)
    rowsGiven = update.rows
    await mirror.keep(outcome.mirrored, isReadAnew: false)
    return update
  }

  /// The result of a message; nil if its changes are known already. Waits for the network as long as needed.
  private func outcome(
    of message: ListInbox.Message, _ mirrored: MirroredList
  ) async throws(RowhouseError) -> Outcome? {
    var backoff = Backoff(rowhouse.retries)
    while true {
      do throws(RowhouseError) { return try await take(message, mirrored) } catch {
        guard error.mayPass, !Task.isCancelled else { throw error }
        await backoff.pause()
      }
    }
  }

  private func take(
    _ message: ListInbox.Message, _ mirrored: MirroredList
  ) async throws(RowhouseError) -> Outcome? {
    switch message {
    case .redraw: return (mirrored, .all)
    case .resync: return (try await load(), .all)
    case .behind(redraws: true):
      let outcome = try await caughtUp(mirrored)
      return (outcome?.mirrored ?? mirrored, .all)
    case .behind(redraws: false): return try await caughtUp(mirrored)
    case .deltas(let deltas):
      guard let delta = deltas.first(where: { $0.listID == mirrored.list.id }) else { return nil }
      guard case .changes(let changes) = delta.content else { return (try await load(), .all) }
      guard changes.toRevision > mirrored.revision else { return nil }
      // A receipt arrived before the stream's event, or the event before the receipt.
      guard changes.fromRevision == mirrored.revision else { return try await caughtUp(mirrored) }
      return try await applied(changes, to: mirrored)
    }
  }

  private func caughtUp(_ mirrored: MirroredList) async throws(RowhouseError) -> Outcome? {
    let delta: Delta?
    do throws(RowhouseError) {
      delta = try await rowhouse.changes(in: mirrored.list.id, since: mirrored.revision)
    } catch {
      guard error.code == .resync else { throw error }
      return (try await load(), .all)
    }
    guard case .changes(let changes) = delta?.content else { return (try await load(), .all) }
    guard changes.toRevision > mirrored.revision else { return nil }
    return try await applied(changes, to: mirrored)
  }

  private func applied(
    _ changes: Delta.Changes, to mirrored: MirroredList
  ) async throws(RowhouseError) -> Outcome {
    var after = mirrored
    guard let batch = after.apply(changes) else { return (try await load(), .all) }
    return (after, .batch(batch))
  }

  private func load() async throws(RowhouseError) -> MirroredList {
    let whole = try await rowhouse.wholeList(mirror.list)
    await mirror.keep(whole, isReadAnew: true)
    return whole
  }
}
