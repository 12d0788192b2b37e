import HTTP

/// The input that a connection is waiting for.
enum ReadPhase {
  case none, idle, head, bufferedBody, streamedBody, unwantedBody, lingering
  /// No more input. The client has shut down its side. It may wait for a response, or be gone: the server cannot
  /// tell.
  case halfClosed
}

extension Connection {
  private var currentPhase: ReadPhase {
    if isLingering { return .lingering }
    if inputEnded { return awaitsAnswer && !client.isGone ? .halfClosed : .none }
    if takesNoMore { return .none }
    if let incoming {
      if incoming.isWaiting || incoming.owesContinue { return .none }
      return switch incoming.mode {
      case .buffer: .bufferedBody
      case .receiver: .streamedBody
      case .discard: .unwantedBody
      }
    }
    if !parser.isBetweenRequests { return .head }
    return isIdle ? .idle : .none
  }

  /// Sets a new read deadline if the phase or the request has changed. Received bytes alone never extend it, except for
  /// a streamed body (`clientIsSlow`).
  func settleDeadline() {
    guard !isClosed else { return }
    if loop.isDraining, nextRequest > 0, isIdle {
      close(.shutdown)
      return
    }
    let phase = currentPhase
    if phase != readPhase || phaseRequest != nextRequest {
      readPhase = phase
      phaseRequest = nextRequest
      startReadDeadline()
    }
    schedule()
  }

  private func startReadDeadline() {
    let limits = loop.limits
    let time: Int64? =
      switch readPhase {
      case .none: nil
      case .idle: limits.idleTime
      case .head: limits.headerTime
      case .bufferedBody, .unwantedBody: limits.bodyTime
      case .streamedBody: limits.bodyRateWindow
      case .lingering: limits.lingerTime
      case .halfClosed: limits.halfClosedTime
      }
    readDeadline = time.map { loop.now + $0 } ?? .max
    incoming?.receivedInWindow = 0
  }

  func schedule() {
    let deadline = min(readDeadline, writeDeadline)
    if deadline < scheduled { scheduled = loop.wheel.insert(key, at: deadline) }
  }

  /// Called when the wheel reaches this connection.
  func timerFired() {
    guard !isClosed else { return }
    if writeDeadline <= loop.now { readerIsSlow() }
    if !isClosed, readDeadline <= loop.now { clientIsSlow() }
    guard !isClosed else { return }
    if scheduled <= loop.now { scheduled = .max }
    schedule()
  }

  private func readerIsSlow() {
    if sentInWindow >= loop.limits.leastRate * Int(loop.limits.readerRateWindow) / 1000 {
      sentInWindow = 0
      writeDeadline = loop.now + loop.limits.readerRateWindow
    } else {
      cutOffReader()
    }
  }

  private func clientIsSlow() {
    switch readPhase {
    case .none: readDeadline = .max
    case .halfClosed:
      // Tells readers for this client to stop. A response that comes anyway is sent.
      client.leave()
      readDeadline = .max
    case .idle, .lingering: close()
    case .head: refuse(.headerTimeout)
    case .bufferedBody, .unwantedBody: refuse(.bodyTimeout)
    case .streamedBody:
      let received = incoming?.receivedInWindow ?? 0
      if received >= loop.limits.leastRate * Int(loop.limits.bodyRateWindow) / 1000 {
        startReadDeadline()
      } else {
        refuse(.bodyTimeout)
      }
    }
    settleDeadline()
  }
}
