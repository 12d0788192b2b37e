import Synchronization

/// The messages that a follower has not handled: a few in order, and a note if more were lost.
final class ListInbox: Sendable {
  enum Message: Sendable {
    case deltas([Delta])
    /// Too much has changed: read the rows again.
    case resync
    /// The table must reload all rows.
    case redraw
    /// Deltas are missing.
    case behind(redraws: Bool)

    var redraws: Bool {
      switch self {
      case .deltas, .resync: false
      case .redraw: true
      case .behind(let redraws): redraws
      }
    }
  }

  private struct Lost {
    var isAny = false
    var redraws = false
  }

  private static let limit = 16
  private let messages: AsyncThrowingStream<Message, any Error>
  private let continuation: AsyncThrowingStream<Message, any Error>.Continuation
  private let lost = Mutex(Lost())

  init() {
    (messages, continuation) = AsyncThrowingStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.limit))
  }

  func deliver(_ message: Message) {
    // One lock covers the message and the note, so that a reader who takes an older message also sees the loss.
    lost.withLock { lost in
      guard case .dropped = continuation.yield(message) else { return }
      lost.isAny = true
      if case .redraw = message { lost.redraws = true }
    }
  }

  /// Delivers a list's events until they end, and then the end or the error.
  func deliver(_ events: LiveEvents) async {
    do throws(RowhouseError) {
      for try await event in events {
        switch event {
        case .change(let change): deliver(.deltas(change.deltas))
        case .resync: deliver(.resync)
        case .gone: break
        }
      }
      continuation.finish()
    } catch {
      continuation.finish(throwing: error)
    }
  }

  /// - Returns: Nil after the last message: the list is gone, or the task is cancelled.
  func next() async throws(RowhouseError) -> Message? {
    var iterator = messages.makeAsyncIterator()
    let message: Message?
    do { message = try await iterator.next() } catch {
      throw error as? RowhouseError ?? RowhouseError(noAnswer: error)
    }
    guard let message else { return nil }
    return lost.withLock { lost in
      guard lost.isAny else { return message }
      defer { lost = Lost() }
      if case .redraw = message { lost.redraws = true }
      return .behind(redraws: lost.redraws)
    }
  }
}

/// The inboxes of all readers of a mirror or a store.
final class ListInboxes: Sendable {
  private let inboxes = Mutex<[ObjectIdentifier: ListInbox]>([:])

  func add(_ inbox: ListInbox) { inboxes.withLock { $0[ObjectIdentifier(inbox)] = inbox } }

  func remove(_ inbox: ListInbox) {
    inboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(inbox)) }
  }

  func deliver(_ message: ListInbox.Message) {
    for inbox in inboxes.withLock({ Array($0.values) }) { inbox.deliver(message) }
  }
}
