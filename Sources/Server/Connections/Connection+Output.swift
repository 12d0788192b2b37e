import Glibc
import HTTP

extension Connection {
  /// Takes the reply to the request that was read last. It is written after the earlier ones.
  func submit(_ reply: Reply, _ request: PipelinedRequest, _ responder: Responder?) {
    nextRequest &+= 1
    if request.closes { takesNoMore = true }
    var request = request
    switch reply {
    case .now(let response):
      responder?.retire()
      if pipeline.isEmpty, stream == nil, case .bytes = response.body {
        write(response, request)
        return
      }
      settle(&request, response)
      pipeline.append(request)
      if case .bytes = response.body { countQueued() } else { advance() }
    case .later: pipeline.append(request)
    }
  }

  /// Stores a response, which may have to wait for earlier ones. The request's body is no longer needed.
  private func settle(_ request: inout PipelinedRequest, _ response: Response) {
    loop.bodyQuota.give(request.bodyBytes)
    request.bodyBytes = 0
    request.holdsBackNext = false
    request.state = .answered(response)
    queuedBytes += response.bytes.count
  }

  /// Takes a late response. Drops it if its request is already answered or gone.
  func deliver(_ response: Response, request: UInt32) {
    let index = pipeline.count - Int(nextRequest &- request)
    guard !isClosed, pipeline.indices.contains(index), case .waiting = pipeline[index].state
    else {
      response.stream?.ended(.clientGone)
      return
    }
    settle(&pipeline[index], response)
    if index == 0 { advance() }
    countQueued()
    settleDeadline()
  }

  /// Answers a request whose handler was released without answering.
  func abandon(request: UInt32) {
    let index = pipeline.count - Int(nextRequest &- request)
    guard pipeline.indices.contains(index) else { return }
    deliver(refusal(.unanswered, pipeline[index].head), request: request)
  }

  /// Writes all responses that no longer wait for earlier ones.
  func advance() {
    while !isClosed, !closesAfterFlush, stream == nil, let request = pipeline.first {
      switch request.state {
      case .waiting: return
      case .answered(let response):
        pipeline.removeFirst()
        queuedBytes -= response.bytes.count
        switch response.body {
        case .bytes: write(response, request)
        case .stream(let source): start(source, response, request)
        case .missing:
          loop.note(request, nil, bytes: 0, peer: parser.peer)
          endAfterFlush()
        }
      }
    }
    guard !isClosed, !closesAfterFlush, stream == nil else { return }
    if let incoming, incoming.owesContinue {
      incoming.owesContinue = false
      ResponseEncoder.writeContinue(to: &output)
      markDirty()
    }
    resumeInput()
  }

  private func write(_ response: Response, _ request: PipelinedRequest) {
    loop.bodyQuota.give(request.bodyBytes)
    loop.lend(&output)
    let start = output.count
    let closes = isLast(request)
    if let token = response.token { turn = token.high ^ token.low }
    ResponseEncoder.write(
      response, to: &output, date: loop.dateLine, version: request.version,
      isHead: request.isHead, closes: closes)
    loop.note(request, response, bytes: output.count - start, peer: parser.peer)
    markDirty()
    if closes { endAfterFlush() }
  }

  /// Whether the connection ends after this response: the request requires it, or no further request can come.
  func isLast(_ request: PipelinedRequest) -> Bool {
    if request.closes { return true }
    guard inputEnded || loop.isDraining || takesNoMore else { return false }
    return pipeline.isEmpty && incoming == nil && pending.isEmpty && !hasInputInHand
      && (inputEnded || takesNoMore || parser.isBetweenRequests)
  }

  func endAfterFlush() {
    takesNoMore = true
    closesAfterFlush = true
    markDirty()
  }

  /// Ends the connection if no response is pending.
  func endIfAnswered() {
    if pipeline.isEmpty, stream == nil { endAfterFlush() }
  }

  /// Makes the loop continue with input that was held back.
  func resumeInput() {
    if !pending.isEmpty || interest & Poller.input == 0 { loop.run(self) }
  }

  /// Continues a stream whose receiver or source is ready again.
  func resume(request: UInt32) {
    guard !isClosed else { return }
    if let incoming, incoming.isWaiting, request == nextRequest,
      case .receiver(_, let signal) = incoming.mode
    {
      signal.lower()
      incoming.isWaiting = false
      loop.run(self)
    } else if let stream, stream.request == request {
      pull()
      settleDeadline()
    }
  }
}

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

  /// Updates the connection's share of the quota after responses were queued behind earlier ones.
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
