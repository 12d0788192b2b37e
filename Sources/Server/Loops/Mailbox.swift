import CLinux
import Glibc
import HTTP
import Synchronization

/// A message to a loop from another thread.
enum Mail: Sendable {
  case answer(Ticket, Response)
  case resume(Ticket)
  case abandon(Ticket)
  /// A connection, by its key, has lost its bytes of a quota to another one.
  case giveWay(UInt64)
  /// Another loop waits for room, and has closed no connection for it.
  case makeRoom
  /// Wakes the loop, which then does all due work.
  case wake
  /// Finish running requests, and stop within `milliseconds`.
  case drain(milliseconds: Int64)
  /// Report your counts.
  case report(CountsCollector)
}

/// A loop's messages. The first one wakes the loop.
final class Mailbox: ReplySink {
  private struct Contents {
    var mail: [Mail] = []
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  private let event: Descriptor

  /// Becomes readable at the first message. Watch it edge-triggered: then nothing needs to be read from it.
  var raw: Int32 { event.raw }

  init() throws(ServerError) {
    let raw = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard raw >= 0 else { throw .failed(call: "eventfd", errno: errno, address: nil) }
    event = Descriptor(raw)
  }

  func deliver(_ response: Response, for ticket: Ticket) {
    if !post(.answer(ticket, response)) { response.stream?.ended(.shutdown) }
  }

  func resume(_ ticket: Ticket) { post(.resume(ticket)) }

  func abandon(_ ticket: Ticket) { post(.abandon(ticket)) }

  /// Returns false if the loop has ended.
  @discardableResult
  func post(_ mail: Mail) -> Bool {
    let (wasEmpty, isClosed) = contents.withLock { contents in
      let wasEmpty = contents.mail.isEmpty
      if !contents.isClosed { contents.mail.append(mail) }
      return (wasEmpty, contents.isClosed)
    }
    if wasEmpty, !isClosed {
      var one: UInt64 = 1
      _ = write(event.raw, &one, 8)
    }
    return !isClosed
  }

  /// Exchanges the messages for `emptied`, whose capacity is reused.
  func take(_ emptied: [Mail]) -> [Mail] {
    contents.withLock { contents in
      var mail = emptied
      swap(&mail, &contents.mail)
      return mail
    }
  }

  /// Closes the mailbox at the end of the loop. Returns the unread messages.
  func close() -> [Mail] {
    contents.withLock { contents in
      contents.isClosed = true
      let mail = contents.mail
      contents.mail = []
      return mail
    }
  }
}
