import HTTP

extension Connection {
  func makeResponder() -> Responder {
    Responder(
      ticket: Ticket(connection: key, exchange: nextExchange), sink: loop.mailbox,
      client: client)
  }

  /// Takes the reply to the request that was read last. It is written after the earlier ones.
  func submit(_ reply: Reply, _ exchange: Exchange, _ responder: Responder?) {
    nextExchange &+= 1
    if exchange.closes { takesNoMore = true }
    var exchange = exchange
    switch reply {
    case .now(let response):
      responder?.retire()
      if exchanges.isEmpty, stream == nil, case .bytes = response.body {
        write(response, exchange)
        return
      }
      settle(&exchange, response)
      exchanges.append(exchange)
      if case .stream = response.body { advance() } else { countQueued() }
    case .later: exchanges.append(exchange)
    }
  }

  /// Stores a response, which may have to wait for earlier ones. The request's body is no longer needed.
  private func settle(_ exchange: inout Exchange, _ response: Response) {
    loop.budget.give(exchange.bodyBytes)
    exchange.bodyBytes = 0
    exchange.holdsBackNext = false
    exchange.state = .answered(response)
    queuedBytes += response.bytes.count
  }

  /// Takes a late response. Drops it if its request is already answered or gone.
  func deliver(_ response: Response, exchange: UInt32) {
    let index = exchanges.count - Int(nextExchange &- exchange)
    guard !isClosed, exchanges.indices.contains(index), case .waiting = exchanges[index].state
    else {
      response.stream?.ended(.clientGone)
      return
    }
    settle(&exchanges[index], response)
    if index == 0 { advance() }
    countQueued()
    settleDeadline()
  }

  /// Answers a request whose handler was released without answering.
  func abandon(exchange: UInt32) {
    let index = exchanges.count - Int(nextExchange &- exchange)
    guard exchanges.indices.contains(index) else { return }
    deliver(refusal(.unanswered, exchanges[index].head), exchange: exchange)
  }

  /// Writes all responses that no longer wait for earlier ones.
  func advance() {
    while !isClosed, !closesAfterFlush, stream == nil, let exchange = exchanges.first {
      switch exchange.state {
      case .waiting: return
      case .answered(let response):
        exchanges.removeFirst()
        queuedBytes -= response.bytes.count
        switch response.body {
        case .bytes: write(response, exchange)
        case .stream(let source): start(source, response, exchange)
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

  private func write(_ response: Response, _ exchange: Exchange) {
    loop.budget.give(exchange.bodyBytes)
    loop.lend(&output)
    let start = output.count
    let closes = isLast(exchange)
    ResponseEncoder.write(
      response, to: &output, date: loop.dateLine, version: exchange.version,
      isHead: exchange.isHead, closes: closes)
    loop.note(exchange, response, bytes: output.count - start, peer: parser.peer)
    markDirty()
    if closes { endAfterFlush() }
  }

  /// Whether the connection ends after this response: the exchange requires it, or no further request can come.
  func isLast(_ exchange: Exchange) -> Bool {
    if exchange.closes { return true }
    guard inputEnded || loop.isDraining || takesNoMore else { return false }
    return exchanges.isEmpty && incoming == nil && pending.isEmpty && !hasInputInHand
      && (inputEnded || takesNoMore || parser.isBetweenRequests)
  }

  func endAfterFlush() {
    takesNoMore = true
    closesAfterFlush = true
    markDirty()
  }

  /// Ends the connection if no response is pending.
  func endIfAnswered() {
    if exchanges.isEmpty, stream == nil { endAfterFlush() }
  }

  /// Makes the loop continue with input that was held back.
  func resumeInput() {
    if !pending.isEmpty || interest & Poller.input == 0 { loop.run(self) }
  }

  /// Continues a stream whose receiver or source is ready again.
  func resume(exchange: UInt32) {
    guard !isClosed else { return }
    if let incoming, incoming.isWaiting, exchange == nextExchange,
      case .receiver(_, let signal) = incoming.mode
    {
      signal.lower()
      incoming.isWaiting = false
      loop.run(self)
    } else if let stream, stream.exchange == exchange {
      pull()
      settleDeadline()
    }
  }
}
