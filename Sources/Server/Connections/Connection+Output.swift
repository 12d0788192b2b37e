import Glibc
import HTTP

extension Connection {
  /// Schedules the output. It is written after all events of this wake-up are handled.
  func markDirty() {
    if !isDirty {
      isDirty = true
      loop.dirty.append(self)
    }
  }

  /// Writes as much as the socket accepts, in one call.
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

  /// Returns false if the connection is gone.
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
    // Sent bytes are dropped once they are the greater part, so that a stream's buffer does not grow.
    if sent > 64 << 10, sent > output.count / 2 {
      output.removeFirst(sent)
      sent = 0
    }
    settleDeadline()
  }

  /// Counts responses that wait for earlier ones, too.
  func countQueued() {
    guard !isClosed, queuedBytes > 0 else { return }
    _ = countWaiting(unsent: isBlocked ? output.count - sent : 0)
  }

  /// Takes the waiting bytes from the quota of all connections. Connections that hold more lose theirs. Returns false
  /// if too few are left, after cutting off this connection.
  private func countWaiting(unsent: Int) -> Bool {
    let added = unsent + queuedBytes - waitingOutput
    guard added <= 0 || loop.take(added, from: loop.outputQuota, for: holder) else {
      cutOffReader()
      return false
    }
    loop.outputQuota.give(-added, of: holder)
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
    // Queued bytes have been counted before, so this only returns some.
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

  /// Ends the connection after all output is written. Closing a socket with unread input sends a reset, and a client
  /// that is still sending would lose the response (RFC 9112 §9.6). So its input is read and dropped for a while.
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
