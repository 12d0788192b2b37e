import CLinux
import Glibc
import HTTP
import Synchronization

/// What comes to a loop from other threads.
enum Mail: Sendable {
  case answer(Ticket, Response)
  case resume(Ticket)
  case abandon(Ticket)
  /// A connection, by its key, has lost to another what it held of a budget.
  case giveWay(UInt64)
  /// Look at the clock and at what was paused.
  case wake
  /// Finish what is running; stop after so many milliseconds at the latest.
  case drain(milliseconds: Int64)
  /// Tell what you have counted.
  case report(CountsCollector)
}

/// A loop's mail, which wakes the loop once however much comes before it looks.
final class Mailbox: ReplySink {
  private struct Contents {
    var mail: [Mail] = []
    var isClosed = false
  }

  private let contents = Mutex(Contents())
  private let event: Descriptor

  /// Becomes readable at each edge from no mail to some; it needs no reading if watched by edge.
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

  /// False if the loop has ended.
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

  /// Exchanges the mail for `emptied`, whose capacity is used again.
  func take(_ emptied: [Mail]) -> [Mail] {
    contents.withLock { contents in
      var mail = emptied
      swap(&mail, &contents.mail)
      return mail
    }
  }

  /// The loop has ended; answers what nobody will read.
  func close() -> [Mail] {
    contents.withLock { contents in
      contents.isClosed = true
      let mail = contents.mail
      contents.mail = []
      return mail
    }
  }
}
