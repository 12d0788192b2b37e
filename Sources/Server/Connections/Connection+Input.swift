import Glibc
import HTTP

extension Connection {
  /// Handles the socket's events. Reads at most once, so that no client blocks the loop for the others.
  func ready(_ events: UInt32) {
    guard !isClosed else { return }
    if events & Poller.output != 0 { markDirty() }
    let hungUp = events & Poller.hangUp != 0
    if awaitsTurn, !hungUp { return }
    if events & Poller.input != 0 || hungUp {
      if dearness >= loop.limits.dearInput, !hungUp, !isLingering, !isInputPaused {
        // Otherwise many connections with dear requests would together hold up all others.
        awaitsTurn = true
        loop.run(self)
      } else if isLingering || !isInputPaused || awaitsEnd {
        readable()
      } else if hungUp {
        close()
      } else {
        watch(interest & ~Poller.input)
      }
    }
  }

  /// Whether input stays in the socket for now.
  var isInputPaused: Bool { inputEnded || takesNoMore || isParsingPaused || !pending.isEmpty }

  /// Whether parsing is paused: too much waits for its response or its reader, or a write is handled on another thread,
  /// which later requests must not overtake (RFC 9112 §9.3.2).
  private var isParsingPaused: Bool {
    if let incoming { return incoming.isWaiting }
    return parser.isBetweenRequests
      && (pipeline.count >= loop.limits.outstanding
        || pipeline.count(where: \.isUnansweredRead) >= loop.limits.outstandingReads
        || pipeline.last?.holdsBackNext == true
        || output.count - sent + queuedBytes >= loop.limits.outputBacklog)
  }

  /// Whether input is read only to detect the client's end. Received bytes are dropped.
  private var awaitsEnd: Bool {
    !inputEnded && (stream?.source.isEndless == true || takesNoMore && awaitsAnswer)
  }

  func readable() {
    let buffer = loop.readBuffer
    var count: Int
    repeat {
      count = recv(raw, buffer.baseAddress, buffer.count, 0)
    } while count < 0 && errno == EINTR
    if count < 0 {
      if errno != EAGAIN { close() }
      return
    }
    if isLingering {
      if count == 0 { close() }
      return
    }
    if count == 0 {
      endInput()
    } else {
      loop.counts.bytesReceived += count
      parse(UnsafeBufferPointer(rebasing: buffer[0..<count]).span)
    }
    if isDirty, phaseRequest != nextRequest {
      // The next deadline is set when the response is written. This request has met its own.
      readDeadline = .max
    } else {
      settleDeadline()
    }
  }

  /// Continues when its turn has come.
  func proceed() {
    isRunnable = false
    if awaitsTurn {
      awaitsTurn = false
      if !isClosed, !isLingering { readable() }
    } else {
      continueInput()
    }
  }

  /// Continues after a pause.
  private func continueInput() {
    guard !isClosed, !isLingering else { return }
    if let stream, stream.hasMore { pull() }
    guard !isClosed, !inputEnded, !takesNoMore, !isParsingPaused else { return }
    // Needed without pending input too: a complete body may not have been ended yet.
    let input = pending
    pending = []
    parse(input.span)
    guard !isClosed else { return }
    if !isInputPaused { watch(interest | Poller.input) }
    settleDeadline()
  }

  private func parse(_ input: Span<UInt8>) {
    var offset = 0
    var begun = 0
    var pieces = 0
    let start = loop.stopwatch
    if parser.isBetweenRequests { began = start }
    // Without input this only continues what was held back.
    defer { if offset > 0 { dearness = max(loop.stopwatch - start, dearness / 2) } }
    parsing: while !isClosed, !takesNoMore, !isParsingPaused {
      if awaitsEnd {
        takesNoMore = offset < input.count
        break
      }
      if begun > 0, parser.isBetweenRequests,
        begun >= loop.limits.requestsInOneGo
          || loop.stopwatch - start >= loop.limits.timeInOneGo
      {
        loop.run(self)
        break
      }
      // A body may come in thousands of small chunks.
      if pieces >= 64 {
        pieces = 0
        if loop.stopwatch - start >= loop.limits.timeInOneGo {
          loop.run(self)
          break
        }
      }
      switch parser.next(input, from: &offset) {
      case .more:
        refuseOversizedChunk()
        break parsing
      case .head(let head):
        hasInputInHand = offset < input.count
        begun += 1
        begin(head)
      case .body(let range):
        hasInputInHand = offset < input.count
        pieces += 1
        take(input.extracting(range))
      case .end:
        hasInputInHand = offset < input.count
        endBody()
      case .fault(let fault):
        refuse(fault)
      }
    }
    hasInputInHand = false
    guard offset < input.count, !isClosed else { return }
    if takesNoMore {
      lingers = true
    } else {
      pending = input.extracting(offset..<input.count).withUnsafeBufferPointer { Array($0) }
    }
  }

  private func begin(_ head: RequestHead) {
    if head.isAboutServer {
      let allow = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
      answerEarly(Response(status: 204, fields: ["Allow": allow]), head)
      return
    }
    switch loop.handler.begin(head) {
    case .buffer(let limit, let answer):
      guard head.hasBody else {
        complete(head, body: [], answer)
        return
      }
      if let length = head.contentLength, length > limit {
        answerEarly(refusal(.bodyTooLarge, head), head)
        return
      }
      let isFirst = pipeline.isEmpty && stream == nil
      let incoming = Incoming(
        head: head, mode: .buffer(limit: limit, answer: answer),
        uncounted: isFirst ? loop.limits.uncountedBody : 0)
      self.incoming = incoming
      awaitBody(incoming)
    case .respond(let response):
      answerEarly(response, head)
    case .stream(let receiver):
      if let length = head.contentLength, length > receiver.limit {
        receiver.brokenOff()
        answerEarly(refusal(.bodyTooLarge, head), head)
        return
      }
      let ticket = Ticket(connection: key, request: nextRequest)
      let signal = StreamSignal(ticket: ticket, sink: loop.mailbox)
      let incoming = Incoming(head: head, mode: .receiver(receiver, signal))
      self.incoming = incoming
      receiver.started(signal)
      if head.hasBody { awaitBody(incoming) } else { endBody() }
    }
  }

  private func awaitBody(_ incoming: Incoming) {
    guard incoming.head.expectsContinue, !hasInputInHand else { return }
    if pipeline.isEmpty, stream == nil {
      ResponseEncoder.writeContinue(to: &output)
      markDirty()
    } else {
      incoming.owesContinue = true
    }
  }

  private func take(_ piece: Span<UInt8>) {
    guard let incoming else { return }
    incoming.received += piece.count
    incoming.receivedInWindow += piece.count
    incoming.owesContinue = false
    switch incoming.mode {
    case .buffer(let limit, _):
      guard incoming.received <= limit else {
        answerEarly(refusal(.bodyTooLarge, incoming.head), incoming.head)
        return
      }
      let more = max(0, incoming.received - incoming.uncounted) - incoming.counted
      guard more == 0 || loop.take(more, from: loop.bodyQuota, for: holder) else {
        answerEarly(refusal(.bodyMemoryExhausted, incoming.head), incoming.head)
        loop.giveBackMemory()
        return
      }
      incoming.counted += more
      incoming.append(piece, limit: limit)
    case .receiver(let receiver, _):
      guard incoming.received <= receiver.limit else {
        receiver.brokenOff()
        answerEarly(refusal(.bodyTooLarge, incoming.head), incoming.head)
        return
      }
      switch receiver.receive(piece) {
      case .more: break
      case .wait: incoming.isWaiting = true
      case .respond(let response): answerEarly(response, incoming.head)
      }
    case .discard(let left):
      guard piece.count <= left else {
        stopReading()
        return
      }
      incoming.mode = .discard(left: left - piece.count)
    }
  }

  /// Refuses a chunk that announces too many bytes, before they arrive.
  private func refuseOversizedChunk() {
    guard let incoming else { return }
    switch incoming.mode {
    case .buffer(let limit, _):
      guard parser.chunkRemaining > limit - incoming.received else { return }
    case .receiver(let receiver, _):
      guard parser.chunkRemaining > receiver.limit - incoming.received else { return }
      receiver.brokenOff()
    case .discard(let left):
      if parser.chunkRemaining > left { stopReading() }
      return
    }
    answerEarly(refusal(.bodyTooLarge, incoming.head), incoming.head)
  }

  private func endBody() {
    guard let incoming else { return }
    self.incoming = nil
    switch incoming.mode {
    case .buffer(_, let answer):
      loop.bodyQuota.keep(incoming.counted, of: holder)
      complete(incoming.head, body: incoming.body, counted: incoming.counted, answer)
    case .receiver(let receiver, _):
      complete(incoming.head, body: []) { _, responder in receiver.finish(responder) }
    case .discard: break
    }
  }

  private func complete(
    _ head: RequestHead, body: [UInt8], counted: Int = 0, _ answer: ([UInt8], Responder) -> Reply
  ) {
    let ticket = Ticket(connection: key, request: nextRequest)
    let responder = Responder(ticket: ticket, sink: loop.mailbox, client: client)
    var request = PipelinedRequest(head, began: began, bodyBytes: counted)
    let reply = answer(body, responder)
    if case .later = reply {
      request.head = head
      request.holdsBackNext = !head.method.isSafe
    }
    submit(reply, request, responder)
  }

  /// Responds before the body is read. A small rest of the body is dropped. After a large one, the connection ends.
  private func answerEarly(_ response: Response, _ head: RequestHead) {
    if let incoming { loop.bodyQuota.give(incoming.counted, of: holder) }
    incoming = nil
    // A client that was refused its 100 may send the body or not (RFC 9110 §10.1.1). Of a chunked body, only the rest
    // of the present chunk is known.
    let left =
      head.expectsContinue ? Int.max : (parser.bodyRemaining ?? parser.chunkRemaining)
    let drains = left <= loop.limits.unwantedBody && head.keepsConnection
    if head.hasBody {
      if drains {
        incoming = Incoming(head: head, mode: .discard(left: loop.limits.unwantedBody))
      } else {
        lingers = true
      }
    }
    let closes = head.hasBody ? !drains : !head.keepsConnection
    submit(.now(response), PipelinedRequest(head, began: began, closes: closes), nil)
  }

  /// Refuses a request that is malformed or too slow. The connection ends with the response.
  func refuse(_ fault: RequestFault) {
    let head = incoming?.head ?? parser.refusedHead
    let request =
      head.map { PipelinedRequest($0, began: began, closes: true) }
      ?? PipelinedRequest(parser.method, began: began)
    if let incoming {
      self.incoming = nil
      loop.bodyQuota.give(incoming.counted, of: holder)
      switch incoming.mode {
      case .buffer: break
      case .receiver(let receiver, _): receiver.brokenOff()
      case .discard:
        // Its response has already been submitted.
        stopReading()
        return
      }
    }
    lingers = true
    submit(.now(refusal(fault, head)), request, nil)
  }

  func refusal(_ fault: RequestFault, _ head: RequestHead? = nil) -> Response {
    loop.handler.refusal(fault, to: head)
  }

  /// Accepts no further input, and ends the connection when all requests are answered.
  private func stopReading() {
    incoming = nil
    takesNoMore = true
    lingers = true
    endIfAnswered()
  }

  /// Handles the client's shutdown of its side: drops an incomplete request, and answers the complete ones.
  private func endInput() {
    inputEnded = true
    if let incoming {
      self.incoming = nil
      breakOff(incoming)
    }
    watch(interest & ~Poller.input)
    if let stream, stream.source.isEndless {
      close(.clientGone)
    } else {
      endIfAnswered()
    }
  }

  /// Drops a request whose body will not be complete.
  func breakOff(_ incoming: Incoming) {
    loop.bodyQuota.give(incoming.counted, of: holder)
    switch incoming.mode {
    case .buffer: break
    case .receiver(let receiver, _): receiver.brokenOff()
    // Its response has already been logged.
    case .discard: return
    }
    loop.note(PipelinedRequest(incoming.head, began: began), nil, bytes: 0, peer: parser.peer)
  }
}
