import Inventory
import JSON

/// Makes the next events of streams from one snapshot. Events that streams share are read and encoded once.
///
/// A span consists of the steps after the revision that a stream has reached, up to the snapshot's revision.
struct EventBatcher {
  /// The part of the data that a caller may see, independent of language and role.
  private struct VisibilityKey: Hashable {
    let inventory: InventoryID?
    let root: ListID?
  }

  private struct Span: Hashable {
    let sight: VisibilityKey
    let since: Revision
  }

  /// Everything that determines an event's bytes, except the snapshot.
  private struct Shape: Hashable {
    let span: Span
    let list: ListID?
    let language: Language
    let role: Role
  }

  private let snapshot: any Snapshot
  /// The most steps that a span may have.
  private let limit: Int
  /// Whether the caller is still authorized.
  private let isAuthorized: @Sendable (Caller) -> Bool
  private var revisions: [VisibilityKey: Revision] = [:]
  private var activities: [Span: Activity] = [:]
  private var made: [Shape: NextEvent] = [:]
  /// The number of events made and of spans looked up so far.
  private(set) var count = 0

  init(
    _ snapshot: any Snapshot, limit: Int, isAuthorized: @escaping @Sendable (Caller) -> Bool
  ) {
    self.snapshot = snapshot
    self.limit = limit
    self.isAuthorized = isAuthorized
  }

  enum Finding {
    case next(NextEvent)
    case nothing
    /// The span needs too much work for this pass.
    case tooMuch
    /// The store failed and has logged the error.
    case failed
  }

  /// The stream's next event after `since`.
  mutating func find(for stream: EventStream, since: Revision) -> Finding {
    let caller = stream.context.caller
    let sight = VisibilityKey(inventory: caller.inventory, root: caller.root)
    let span = Span(sight: sight, since: since)
    let shape = Shape(
      span: span, list: stream.list, language: stream.context.language, role: caller.role)
    guard isAuthorized(caller) else {
      return .next(gone(stream, revisions[sight] ?? since, .notFound(.token)))
    }
    if let next = made[shape] { return .next(next) }
    do throws(InventoryError) {
      let revision = try revision(for: caller, sight)
      guard revision != since else { return .nothing }
      if revision < since, stream.hasReached(since) { return .nothing }
      let snapshot = snapshot.seen(by: caller)
      guard let next = try make(for: stream, snapshot, span, revision) else { return .tooMuch }
      made[shape] = next
      return .next(next)
    } catch {
      let revision = revisions[sight] ?? since
      switch error {
      case .notFound, .inTrash: return .next(gone(stream, revision, error))
      case .deadlineExceeded: return .next(resync(revision))
      // The list is so deep that only the store's workers look up its place.
      case .boundExceeded: return .tooMuch
      default: return .failed
      }
    }
  }

  private mutating func revision(
    for caller: Caller, _ sight: VisibilityKey
  ) throws(InventoryError) -> Revision {
    if let known = revisions[sight] { return known }
    let revision = try snapshot.seen(by: caller).revision()
    revisions[sight] = revision
    return revision
  }

  /// Nil if the span is too long for this pass.
  private mutating func make(
    for stream: EventStream, _ snapshot: any Snapshot, _ span: Span, _ revision: Revision
  ) throws(InventoryError) -> NextEvent? {
    let activity: Activity
    if let known = activities[span] {
      activity = known
    } else {
      activity = try snapshot.activity(since: span.since, limit: limit)
      activities[span] = activity
      count += 1
    }
    switch activity.content {
    case .changes(let changes):
      return try event(of: changes, for: stream, snapshot, span.since, revision)
    case .tooMuch where limit < Activity.maximumSteps: return nil
    case .tooMuch, .historyGone:
      try look(at: stream.list, snapshot)
      return resync(revision)
    }
  }

  /// - Throws: `notFound` or `inTrash` if the caller can no longer see the list.
  private func look(at list: ListID?, _ snapshot: any Snapshot) throws(InventoryError) {
    if let list { _ = try snapshot.list(.id(list)) }
  }

  private mutating func event(
    of changes: Activity.Changes, for stream: EventStream, _ snapshot: any Snapshot,
    _ since: Revision, _ revision: Revision
  ) throws(InventoryError) -> NextEvent {
    if changes.hidesLists { try look(at: stream.list, snapshot) }
    var part = changes
    if let list = stream.list {
      part.lists = changes.lists.filter { $0.id == list }
      part.items = changes.items.filter { $0.lists.contains(list) }
    }
    if changes.bringsLists, try isOutdated(stream.list, snapshot, since, hides: changes.hidesLists)
    {
      return resync(revision)
    }
    guard !part.lists.isEmpty || !part.items.isEmpty else { return NextEvent(revision) }
    count += 1
    var deltas: [Delta] = []
    var entries = 0
    for list in part.lists {
      if list.isNew {
        guard stream.list == nil else { return resync(revision) }
        deltas.append(absent(list.id, revision))
        continue
      }
      guard let before = list.revisionBefore else { continue }
      if before > since {
        // The list was created in the span. A client may still have the rows of an earlier list with the same id.
        guard stream.list == nil else { return resync(revision) }
        guard before == since.next else {
          deltas.append(absent(list.id, revision))
          continue
        }
      }
      var delta = try snapshot.delta(of: .id(list.id), since: max(since, before))
      delta.fromRevision = before
      guard case .changes(let changes) = delta.content else { return resync(revision) }
      entries += changes.entryCount
      guard entries <= Delta.maximumEntries else { return resync(revision) }
      deltas.append(delta)
    }
    return NextEvent(revision, "change") { writer in
      writer.member("fromRevision", since.number)
      writer.member("revision", revision.number)
      writer.member("requestId", part.requestID)
      writer.objects("deltas", deltas) { $0.deltaMembers($1, for: stream.context) }
      writer.member("lists", part.lists.map { RowID($0.id) })
      writer.member("items", part.items.map { RowID($0.id) })
    }
  }

  /// Whether the stream's client may have stale rows: old rows of a list that became visible again, or rows of an
  /// earlier list with the same id. The log of the span may show neither.
  ///
  /// - Parameter isHiding: whether lists left the caller's sight in the same span. A client that follows all lists may
  ///   still have the rows of these lists.
  private func isOutdated(
    _ list: ListID?, _ snapshot: any Snapshot, _ since: Revision, hides isHiding: Bool
  ) throws(InventoryError) -> Bool {
    guard let list else { return isHiding }
    return try snapshot.delta(of: .id(list), since: since).content == .absent
  }

  private func absent(_ list: ListID, _ revision: Revision) -> Delta {
    Delta(listID: list, fromRevision: revision, toRevision: revision, content: .absent)
  }

  private mutating func resync(_ revision: Revision) -> NextEvent {
    count += 1
    return NextEvent(revision, "resync") { $0.member("revision", revision.number) }
  }

  /// The last event of a stream: its list, the caller's root list or the token is gone, or the server now needs a
  /// token.
  private mutating func gone(
    _ stream: EventStream, _ revision: Revision, _ cause: InventoryError
  ) -> NextEvent {
    count += 1
    var top: RowID?
    if case .inTrash(let row) = cause { top = row }
    return NextEvent(revision, "gone", isLast: true) { writer in
      writer.member("listId", stream.list ?? stream.context.caller.root)
      writer.member("revision", revision.number)
      writer.member("trashId", top)
    }
  }
}

extension Delta.Changes {
  fileprivate var entryCount: Int {
    deletes.count + inserts.count + moves.count + reloadsAfter.count
  }
}

/// A stream's next event and the revision after it.
struct NextEvent: Sendable {
  let revision: Revision
  /// The event's bytes. Empty if the changes do not concern the stream.
  let bytes: [UInt8]
  /// Whether the stream ends after this event.
  let isLast: Bool

  /// An event without bytes.
  fileprivate init(_ revision: Revision) {
    self.revision = revision
    bytes = []
    isLast = false
  }

  /// - Parameter write: writes the members of the event's data.
  fileprivate init(
    _ revision: Revision, _ name: StaticString, isLast: Bool = false,
    _ write: (inout JSONWriter) -> Void
  ) {
    self.revision = revision
    self.isLast = isLast
    bytes = EventText.event(name, revision, data: JSONWriter.bytes { $0.object(write) })
  }
}
