import Glibc
import HTTP

extension Connection {
  /// The output is written once the loop has seen to all events of this wake-up.
  func markDirty() {
    if !isDirty {
      isDirty = true
      loop.dirty.append(self)
    }
  }

  /// Writes as much as the socket takes, in one call.
  func flush() {
    isDirty = false
    guard !isClosed, !isLingering else { return }
    if sent < output.count {
      guard send() else { return }
    }
    if sent < output.count {
      block()
      return
    }
    unblock()
    if closesAfterFlush {
      end()
      return
    }
    if stream?.hasMore == true { loop.run(self) }
    resumeInput()
    settleDeadline()
  }

  /// False if the connection is gone.
  private func send() -> Bool {
    var count: Int
    repeat {
      count = output.withUnsafeBytes { bytes in
        Glibc.send(
          raw, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL)
        )
      }
    } while count < 0 && errno == EINTR
    if count >= 0 {
      sent += count
      sentInWindow += count
      loop.counts.bytesSent += count
      return true
    }
    if errno == EAGAIN { return true }
    close()
    return false
  }

  private func block() {
    guard countWaiting(unsent: output.count - sent) else { return }
    if !isBlocked {
      isBlocked = true
      sentInWindow = 0
      writeDeadline = loop.now + loop.limits.readerRateWindow
      watch(interest | Poller.output)
    }
    // What has gone is dropped once it is the greater part, so that a stream's buffer does not grow.
    if sent > 64 << 10, sent > output.count / 2 {
      output.removeFirst(sent)
      sent = 0
    }
    settleDeadline()
  }

  /// Has answers that wait for those before them count, too.
  func countQueued() {
    guard !isClosed, queuedBytes > 0 else { return }
    _ = countWaiting(unsent: isBlocked ? output.count - sent : 0)
  }

  /// Takes what waits from the budget of all connections; false if there is too little left, and the connection is
  /// cut off. Connections that hold more are cut off instead.
  private func countWaiting(unsent: Int) -> Bool {
    let added = unsent + queuedBytes - waitingOutput
    guard added <= 0 || loop.take(added, from: loop.outputBudget, for: holder) else {
      cutOffReader()
      return false
    }
    loop.outputBudget.give(-added, of: holder)
    waitingOutput += added
    return true
  }

  func cutOffReader() {
    resets = true
    loop.counts.slowReaders += 1
    close(.readerTooSlow)
  }

  private func unblock() {
    sent = 0
    loop.recycle(&output)
    // What is queued has been counted before, so that this only gives back.
    _ = countWaiting(unsent: 0)
    writeDeadline = .max
    if isBlocked {
      isBlocked = false
      watch(interest & ~Poller.output)
    }
  }

  func watch(_ wanted: UInt32) {
    if wanted != interest {
      interest = wanted
      loop.poller.modify(raw, wanted, key: key)
    }
  }

  private var hasUnreadInput: Bool {
    recv(raw, loop.readBuffer.baseAddress, 1, Int32(MSG_PEEK)) > 0
  }

  /// Everything is written. A client that may still be sending would lose the answer to a reset if the socket were
  /// closed with input unread (RFC 9112 §9.6), so its input is read and dropped for a while.
  private func end() {
    guard !inputEnded, lingers || hasUnreadInput else {
      close(.complete)
      return
    }
    isLingering = true
    pending = []
    Glibc.shutdown(raw, Int32(SHUT_WR))
    watch(Poller.input)
    settleDeadline()
  }
}
