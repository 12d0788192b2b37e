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
      if case .stream = response.body { advance() } else { countQueued() }
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
