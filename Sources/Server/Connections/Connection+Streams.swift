import HTTP

extension Connection {
  func start(_ source: any BodySource, _ response: Response, _ request: PipelinedRequest) {
    let framing: ResponseEncoder.Framing =
      if let length = source.length {
        .length(length)
      } else if request.version == .http11 {
        .chunked
      } else {
        .close
      }
    // If the end of the connection marks the end of the body, no later request can be answered.
    var endsConnection = false
    if case .close = framing { endsConnection = true }
    let closes = endsConnection || isLast(request)
    loop.lend(&output)
    let start = output.count
    ResponseEncoder.writeHead(
      response, to: &output, date: loop.dateLine, version: request.version, framing: framing,
      closes: closes)
    markDirty()
    let bytes = output.count - start
    if request.isHead || !ResponseEncoder.hasBody(response.status) {
      loop.note(request, response, bytes: bytes, peer: parser.peer)
      source.ended(.complete)
      if closes { endAfterFlush() }
      return
    }
    let number = nextRequest &- UInt32(pipeline.count) &- 1
    let ticket = Ticket(connection: key, request: number)
    let signal = StreamSignal(ticket: ticket, sink: loop.mailbox)
    let stream = OutgoingStream(
      source: source, signal: signal, request: number, framing: framing, closes: closes,
      counted: loop.count(request, response),
      record: loop.observer == nil
        ? nil : AccessRecord(request, response, bytes: bytes, peer: parser.peer))
    self.stream = stream
    // The same holds for requests behind an endless stream.
    if endsConnection || (source.isEndless && !hasNoMore) { dropRest() }
    if source.isEndless {
      if inputEnded {
        close(.clientGone)
        return
      }
      // Watched only to detect the client's end.
      watch(interest | Poller.input)
    }
    source.started(signal)
    if source.isEndless, loop.isDraining {
      finishStream(.shutdown)
    } else {
      pull()
    }
  }

  /// Whether no further request has been received, even in part.
  private var hasNoMore: Bool {
    pipeline.isEmpty && incoming == nil && pending.isEmpty && parser.isBetweenRequests
  }

  /// Drops all requests after the present response, which is the last.
  private func dropRest() {
    takesNoMore = true
    if !pending.isEmpty { lingers = true }
    pending = []
    if let incoming {
      lingers = true
      self.incoming = nil
      breakOff(incoming)
    }
    dropPipeline(.clientGone)
  }

  /// Asks the source for as many bytes as there is room for.
  func pull() {
    var scratch: [UInt8] = []
    swap(&scratch, &loop.scratch)
    defer { swap(&scratch, &loop.scratch) }
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

  /// Adds a piece to the output in the stream's framing. False if the source gave more bytes than announced.
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
    if stream.closes || (mayEnd && pipeline.isEmpty && hasNoRequest) {
      endAfterFlush()
    } else {
      advance()
    }
  }

  /// Whether no further request is being read that would be answered.
  private var hasNoRequest: Bool {
    inputEnded || takesNoMore
      || (incoming == nil && pending.isEmpty && !hasInputInHand && parser.isBetweenRequests)
  }

  /// Closes the connection so that the client sees that the body is incomplete: the last chunk or some bytes are
  /// missing. If the end of the connection would look like the end of the body, the connection is reset.
  private func fail(_ stream: OutgoingStream) {
    if case .close = stream.framing { resets = true }
    flush()
    close(.failed)
  }
}
