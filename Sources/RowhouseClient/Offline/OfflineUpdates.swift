import Synchronization

/// A change of a store: of the lists that its reader shows, of what waits, or of the connection.
public struct OfflineUpdate: Sendable {
  /// For each list that has changed, the change for a table that shows it.
  public var lists: [Rowhouse.List.ID: ListUpdate]
  public var status: OfflineStatus
  /// The outcomes that the person should see.
  public var notices: [OfflineNotice]
}

extension OfflineStore {
  /// The rows of lists and the status, then each change of them. A slow reader receives all missed changes as one.
  ///
  /// - Parameter lists: The lists that the reader shows. Those that the store does not have come when it has them.
  public nonisolated func updates(of lists: [Rowhouse.List.ID] = []) -> OfflineUpdates {
    OfflineUpdates(store: self, lists: lists)
  }

  struct Contents: Sendable {
    var lists: [Rowhouse.List.ID: MirroredList] = [:]
    var status: OfflineStatus
    var notices: [OfflineNotice]
  }

  /// What the view shows of lists, all at one time.
  func contents(of lists: [Rowhouse.List.ID]) -> Contents {
    var shown = Contents(status: status, notices: notices)
    for id in lists {
      let key = view.key(of: id)
      load([key])
      shown.lists[id] = view.mirrored(key)
    }
    return shown
  }
}

/// The changes of a store. They end when the task that reads them is cancelled.
public struct OfflineUpdates: AsyncSequence, Sendable {
  public typealias Element = OfflineUpdate
  public typealias Failure = Never

  let store: OfflineStore
  let lists: [Rowhouse.List.ID]

  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: OfflineReader(store, lists, ListInbox()))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let reader: OfflineReader

    public mutating func next() async -> OfflineUpdate? { await reader.next() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> OfflineUpdate? {
      await reader.next()
    }
  }
}

/// Remembers what a reader shows of a store, and computes each update on demand.
actor OfflineReader {
  private let store: OfflineStore
  private let lists: [Rowhouse.List.ID]
  private let inbox: ListInbox
  /// What the reader shows; nil before its first update.
  private var given: [Rowhouse.List.ID: MirroredList]?

  init(_ store: OfflineStore, _ lists: [Rowhouse.List.ID], _ inbox: ListInbox) {
    self.store = store
    self.lists = lists
    self.inbox = inbox
    store.inboxes.add(inbox)
  }

  deinit { store.inboxes.remove(inbox) }

  /// The next update; nil if the task is cancelled.
  func next() async -> OfflineUpdate? {
    guard let given else {
      let shown = await store.contents(of: lists)
      self.given = shown.lists
      return OfflineUpdate(
        lists: shown.lists.mapValues { ListUpdate(.all, of: $0) }, status: shown.status,
        notices: shown.notices)
    }
    guard let message = try? await inbox.next() else { return nil }
    let shown = await store.contents(of: lists)
    var updates: [Rowhouse.List.ID: ListUpdate] = [:]
    for list in lists {
      updates[list] = Self.update(from: given[list], to: shown.lists[list], message.redraws)
    }
    self.given = shown.lists
    return OfflineUpdate(lists: updates, status: shown.status, notices: shown.notices)
  }

  private static func update(
    from old: MirroredList?, to new: MirroredList?, _ redraws: Bool
  ) -> ListUpdate? {
    guard let new else { return old.map { ListUpdate(.gone, of: $0, after: $0.shownRows) } }
    guard let old, !redraws else { return ListUpdate(.all, of: new) }
    let (before, after) = (old.shownRows, new.shownRows)
    let batch = ListBatch(from: before, to: after)
    guard !batch.isEmpty || !old.list.hasFields(of: new.list) else { return nil }
    return ListUpdate(.batch(batch), of: new, after: before)
  }
}

extension Rowhouse.List {
  /// Whether an app shows the same of both.
  fileprivate func hasFields(of other: Rowhouse.List) -> Bool {
    var same = self
    same.revision = other.revision
    same.updatedAt = other.updatedAt
    return same == other
  }
}

/// Follows a list of a store for one reader of a mirror.
actor OfflineFollower: ListFollowing {
  private let mirror: ListMirror
  private let store: OfflineStore
  private let inbox: ListInbox
  private var reader: OfflineReader?
  private var isOver = false

  init(_ mirror: ListMirror, _ store: OfflineStore, _ inbox: ListInbox) {
    self.mirror = mirror
    self.store = store
    self.inbox = inbox
  }

  deinit { mirror.forget(inbox) }

  func next() async throws(RowhouseError) -> ListUpdate? {
    if isOver || Task.isCancelled { return nil }
    do throws(OfflineError) {
      if reader == nil { try await store.keep(mirror.list) }
    } catch {
      isOver = true
      if case .server(let error) = error { throw error }
      throw .file(underlying: error)
    }
    let reader = reader ?? OfflineReader(store, [mirror.list], inbox)
    self.reader = reader
    while let update = await reader.next() {
      guard let update = update.lists[mirror.list] else { continue }
      isOver = update.change == .gone
      await mirror.keep(update)
      return update
    }
    return nil
  }
}
