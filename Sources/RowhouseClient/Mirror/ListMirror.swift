/// A list's rows, kept in step with the server.
///
/// ```swift
/// let mirror = ListMirror(of: .root, at: rowhouse)
/// for try await update in mirror.updates() { show(update) }
/// ```
///
/// The rows are the server's, the pinned last one among them where the list shows it: the mirror works
/// out nothing, it does what the deltas say. It holds every row of the list.
public actor ListMirror {
  public nonisolated let list: Rowhouse.List.ID
  private let rowhouse: Rowhouse
  private let inbox: AsyncStream<Message>
  private let deliver: AsyncStream<Message>.Continuation
  private var isFollowed = false
  private var state: MirroredList?

  private enum Message: Sendable {
    case event(LiveEvent)
    case deltas([Delta])
    /// The event stream has ended.
    case ended(RowhouseError?)
  }

  public init(of list: Rowhouse.List.ID, at rowhouse: Rowhouse) {
    self.list = list
    self.rowhouse = rowhouse
    (inbox, deliver) = AsyncStream.makeStream(of: Message.self)
  }

  /// The rows as last heard of; empty before the first update.
  public var rows: [Row] { state?.shownRows ?? [] }

  /// The list's own fields as last heard of.
  public var fields: Rowhouse.List? { state?.list }

  /// Takes what one of the caller's own writes did, without waiting for it to come by the stream.
  public nonisolated func absorb(_ receipt: Receipt) {
    deliver.yield(.deltas(receipt.deltas))
  }

  /// The rows, then each change of them; for one reader.
  ///
  /// - Throws: ``RowhouseError`` where the list cannot be read. Once it has been, lost connections and
  ///   a server that is away are no reason: it is asked again, and what was missed is caught up with.
  public nonisolated func updates() -> AsyncThrowingStream<ListUpdate, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await self.follow(continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func follow(
    _ updates: AsyncThrowingStream<ListUpdate, any Error>.Continuation
  ) async throws(RowhouseError) {
    precondition(!isFollowed, "A mirror has one reader.")
    isFollowed = true
    var mirrored = try await load()
    updates.yield(ListUpdate(.all, of: mirrored))
    let events = rowhouse.events(of: mirrored.list.id, since: mirrored.revision)
    let deliver = deliver
    let follower = Task {
      do throws(RowhouseError) {
        for try await event in events { deliver.yield(.event(event)) }
        deliver.yield(.ended(nil))
      } catch {
        deliver.yield(.ended(error))
      }
    }
    defer { follower.cancel() }
    for await message in inbox {
      let update: ListUpdate?
      switch message {
      case .event(.gone): update = ListUpdate(.gone, of: mirrored)
      case .event(.resync): update = try await reload(&mirrored)
      case .event(.change(let change)): update = try await take(change.deltas, &mirrored)
      case .deltas(let deltas): update = try await take(deltas, &mirrored)
      case .ended(nil): return
      case .ended(let error?):
        guard error.tellsOfLoss else { throw error }
        update = ListUpdate(.gone, of: mirrored)
      }
      if let update { updates.yield(update) }
      if update?.change == .gone { return }
    }
  }

  private func take(
    _ deltas: [Delta], _ mirrored: inout MirroredList
  ) async throws(RowhouseError) -> ListUpdate? {
    guard let delta = deltas.first(where: { $0.listID == mirrored.list.id }) else { return nil }
    guard case .changes(var changes) = delta.content else { return try await reload(&mirrored) }
    guard changes.toRevision > mirrored.revision else { return nil }
    if changes.fromRevision != mirrored.revision {
      // A receipt overtook the stream, or the stream a receipt.
      guard let delta = try await caughtUp(from: mirrored.revision),
        case .changes(let caughtUp) = delta.content
      else { return try await reload(&mirrored) }
      changes = caughtUp
    }
    // How the pinned last row looks, and what may be done to each row, is in the rows and in no delta.
    let showsInRows = changes.list?.sentinel != nil || changes.list?.can != nil
    guard !showsInRows, let batch = mirrored.apply(changes) else {
      return try await reload(&mirrored)
    }
    mirrored.takeFields(changes.list)
    state = mirrored
    return ListUpdate(.batch(batch), of: mirrored)
  }

  /// - Returns: nil where that history is gone.
  private func caughtUp(from revision: Int) async throws(RowhouseError) -> Delta? {
    do throws(RowhouseError) { return try await rowhouse.changes(in: list, since: revision) } catch
    {
      // What reading the rows anew mends, or waits for.
      guard error.code == .resync || error.mayPass else { throw error }
      return nil
    }
  }

  /// As long as it takes: a server that has the rows read anew may be about to go away again.
  private func reload(_ mirrored: inout MirroredList) async throws(RowhouseError) -> ListUpdate {
    var failures = 0
    while true {
      do throws(RowhouseError) {
        mirrored = try await load()
        return ListUpdate(.all, of: mirrored)
      } catch {
        if error.tellsOfLoss { return ListUpdate(.gone, of: mirrored) }
        guard error.mayPass else { throw error }
      }
      failures += 1
      do { try await Task.sleep(for: rowhouse.retries.delay(after: failures)) } catch {
        throw .cancelled
      }
    }
  }

  /// The whole list at one revision; begun anew when it changes in between.
  private func load() async throws(RowhouseError) -> MirroredList {
    while true {
      do throws(RowhouseError) {
        let fields = try await rowhouse.list(list)
        var loaded = MirroredList(fields)
        while !loaded.isWhole {
          loaded.append(
            try await rowhouse.rows(
              of: fields.id, offset: loaded.rows.count, limit: 1_000, at: fields.revision))
        }
        state = loaded
        return loaded
      } catch {
        guard error.code == .listMovedOn else { throw error }
      }
    }
  }
}
