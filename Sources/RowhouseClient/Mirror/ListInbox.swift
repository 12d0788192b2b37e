import Synchronization

/// What a follower has been told and has not looked at yet: a few messages in order, and of more that
/// there was more.
final class ListInbox: Sendable {
  enum Message: Sendable {
    case deltas([Delta])
    /// So much has changed that the rows are to be read anew.
    case resync
    /// The table is to show all rows anew.
    case redraw
    /// Deltas are missing.
    case behind(redraws: Bool)
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
    // Locked over both, so that whoever takes what was there before hears of what is lost.
    lost.withLock { lost in
      guard case .dropped = continuation.yield(message) else { return }
      lost.isAny = true
      if case .redraw = message { lost.redraws = true }
    }
  }

  /// Delivers a list's events until they end, and then says so, or why.
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

  /// - Returns: nil where no more comes, since the list is gone or the task cancelled.
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
