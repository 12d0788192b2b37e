import HTTP

extension Connection {
  func start(_ source: any BodySource, _ response: Response, _ exchange: Exchange) {
    let framing: ResponseEncoder.Framing =
      if let length = source.length {
        .length(length)
      } else if exchange.version == .http11 {
        .chunked
      } else {
        .close
      }
    // Nothing that comes after a body whose end is the connection's can be answered.
    var endsConnection = false
    if case .close = framing { endsConnection = true }
    let closes = endsConnection || isLast(exchange)
    loop.lend(&output)
    let start = output.count
    ResponseEncoder.writeHead(
      response, to: &output, date: loop.dateLine, version: exchange.version, framing: framing,
      closes: closes)
    markDirty()
    let bytes = output.count - start
    if exchange.isHead || !ResponseEncoder.hasBody(response.status) {
      loop.note(exchange, response, bytes: bytes, peer: parser.peer)
      source.ended(.complete)
      if closes { endAfterFlush() }
      return
    }
    let number = nextExchange &- UInt32(exchanges.count) &- 1
    let ticket = Ticket(connection: key, exchange: number)
    let signal = StreamSignal(ticket: ticket, sink: loop.mailbox)
    let stream = OutgoingStream(
      source: source, signal: signal, exchange: number, framing: framing, closes: closes,
      counted: loop.count(exchange, response),
      record: loop.observer == nil
        ? nil : AccessRecord(exchange, response, bytes: bytes, peer: parser.peer))
    self.stream = stream
    // Nor is anything behind a stream without end, that has come by now or comes before its end.
    if endsConnection || (source.isEndless && !hasNoMore) { dropRest() }
    if source.isEndless {
      if inputEnded {
        close(.clientGone)
        return
      }
      // Read for its end alone.
      watch(interest | Poller.input)
    }
    source.started(signal)
    if source.isEndless, loop.isDraining {
      finishStream(.shutdown)
    } else {
      pull()
    }
  }

  /// Whether nothing has been asked behind the present answer, nor begun to be.
  private var hasNoMore: Bool {
    exchanges.isEmpty && incoming == nil && pending.isEmpty && parser.isBetweenRequests
  }

  /// Gives up what has been asked behind the present answer, which is the last.
  private func dropRest() {
    takesNoMore = true
    if !pending.isEmpty { lingers = true }
    pending = []
    if let incoming {
      lingers = true
      self.incoming = nil
      breakOff(incoming)
    }
    dropExchanges(.clientGone)
  }

  /// Asks the source for as much as there is room for.
  func pull() {
    var scratch = loop.takeScratch()
    defer { loop.giveBack(scratch: scratch) }
    while let stream, !isClosed {
      let room = loop.limits.streamBacklog - (output.count - sent)
      guard room > 0 else {
        stream.hasMore = true
        return
      }
      stream.hasMore = false
      stream.signal.lower()
      scratch.removeAll(keepingCapacity: true)
      let supply = stream.source.pull(into: &scratch, limit: room)
      loop.lend(&output)
      guard append(scratch, stream) else {
        fail(stream)
        return
      }
      switch supply {
      case .more:
        if scratch.isEmpty {
          stream.hasMore = true
          loop.run(self)
          return
        }
      case .wait: return
      case .end:
        finishStream(.complete)
        return
      case .fail:
        fail(stream)
        return
      }
    }
  }

  /// False if the source gave more than it said.
  private func append(_ piece: [UInt8], _ stream: OutgoingStream) -> Bool {
    guard !piece.isEmpty else { return true }
    let start = output.count
    switch stream.framing {
    case .length:
      guard piece.count <= stream.left else { return false }
      stream.left -= piece.count
      output.append(contentsOf: piece)
    case .chunked: ResponseEncoder.writeChunk(piece, to: &output)
    case .close: output.append(contentsOf: piece)
    }
    stream.record?.bytes += output.count - start
    markDirty()
    return true
  }

  func finishStream(_ ending: StreamEnding) {
    guard let stream else { return }
    if stream.left > 0 {
      fail(stream)
      return
    }
    self.stream = nil
    let start = output.count
    if case .chunked = stream.framing { ResponseEncoder.writeLastChunk(to: &output) }
    stream.record?.bytes += output.count - start
    loop.note(stream)
    markDirty()
    stream.source.ended(ending)
    let mayEnd = loop.isDraining || inputEnded || takesNoMore
    if stream.closes || (mayEnd && exchanges.isEmpty && hasNoRequest) {
      endAfterFlush()
    } else {
      advance()
    }
  }

  /// Whether no request is being read that would still be answered.
  private var hasNoRequest: Bool {
    inputEnded || takesNoMore
      || (incoming == nil && pending.isEmpty && !hasInputInHand && parser.isBetweenRequests)
  }

  /// The client must see that the body is not whole: a missing last chunk or length tells, and a reset where the end
  /// of the connection would look like the end of the body.
  private func fail(_ stream: OutgoingStream) {
    if case .close = stream.framing { resets = true }
    flush()
    close(.failed)
  }
}
