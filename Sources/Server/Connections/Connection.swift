import Glibc
import HTTP

/// A client's connection: its received input, its pending requests, and its unsent output.
///
/// It lives on its loop's thread. Four files beside this one extend it: input, output (with the order of the
/// responses), streams, and deadlines.
final class Connection {
  let loop: EventLoop
  /// The descriptor and a generation. Events for an earlier owner of the descriptor have another key.
  let key: UInt64
  let raw: Int32
  /// Nil once closed.
  private var descriptor: Descriptor?
  /// Shared with other threads that work on responses for this client.
  let client = ClientPresence()

  // Input.
  var parser: RequestParser
  var incoming: Incoming?
  /// Input that was read but may not be parsed yet.
  var pending: [UInt8] = []
  /// Whether the piece that is being parsed has more input.
  var hasInputInHand = false
  /// Whether the client has shut down its side.
  var inputEnded = false
  /// Whether further requests are ignored.
  var takesNoMore = false
  /// When the first byte of the present request was handled, by the loop's stopwatch.
  var began: Int64 = 0

  // Answers.
  var pipeline: [PipelinedRequest] = []
  /// Bytes of the responses in `pipeline`.
  var queuedBytes = 0
  /// The number of the next request. Those in `pipeline` have the numbers before it.
  var nextRequest: UInt32 = 0
  var stream: OutgoingStream?

  // Output.
  var output: [UInt8] = []
  var sent = 0
  var isDirty = false
  var isBlocked = false
  /// Bytes of unsent output and of queued responses that are taken from the quota of all connections.
  var waitingOutput = 0
  var interest = Poller.input
  var isRunnable = false
  /// The caller whose turn this connection uses while it is paused: the token of its last response, or its address.
  var turn: UInt64
  /// Whether it is runnable because its input is dear, and must still be read.
  var awaitsTurn = false
  /// The microseconds that its last input took, or half of the earlier value, if that is more.
  var dearness: Int64 = 0
  /// Whether the connection ends when the output is written.
  var closesAfterFlush = false
  /// Whether the client may still be sending when the connection ends.
  var lingers = false
  /// Whether the client must see the end as a failure.
  var resets = false
  var isLingering = false

  // Deadlines, in the loop's milliseconds.
  var readDeadline = Int64.max
  var writeDeadline = Int64.max
  var readPhase = ReadPhase.none
  var phaseRequest: UInt32 = 0
  var scheduled = Int64.max
  var sentInWindow = 0

  init(loop: EventLoop, descriptor: consuming Descriptor, generation: UInt32, peer: Peer) {
    self.loop = loop
    raw = descriptor.raw
    key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor.raw))
    self.descriptor = consume descriptor
    parser = RequestParser(limits: loop.limits.head, peer: peer)
    turn = peer.high
  }

  var isClosed: Bool { descriptor == nil }

  /// The connection's identity in the quotas.
  var holder: ByteQuota.Holder {
    ByteQuota.Holder(
      loop: loop.seed.index, connection: key, address: parser.peer?.high ?? 0)
  }

  /// Frees the memory whose share of a quota was given to other connections. Cuts off the reader, or refuses the body
  /// that is being received.
  func giveWay() {
    if waitingOutput > loop.outputQuota.held(by: holder) {
      cutOffReader()
    } else if let incoming, incoming.counted > loop.bodyQuota.held(by: holder) {
      refuse(.bodyMemoryExhausted)
      settleDeadline()
      loop.giveBackMemory()
    }
  }

  /// Whether it is not reading, answering or writing anything.
  var isIdle: Bool {
    incoming == nil && parser.isBetweenRequests && pending.isEmpty && pipeline.isEmpty
      && stream == nil && output.isEmpty && !isLingering
  }

  /// Whether the handler is working on a response.
  var awaitsAnswer: Bool {
    pipeline.contains { if case .waiting = $0.state { true } else { false } }
  }

  /// Ends the connection at once, and notifies everything that was running.
  func close(_ ending: StreamEnding = .clientGone) {
    guard descriptor != nil else { return }
    if resets {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
    descriptor = nil
    client.leave()
    loop.removed(self)
    if let incoming {
      self.incoming = nil
      breakOff(incoming)
    }
    if let stream {
      self.stream = nil
      // The unsent output may include earlier responses.
      if let bytes = stream.record?.bytes {
        stream.record?.bytes = max(0, bytes - (output.count - sent))
      }
      loop.note(stream)
      stream.source.ended(ending)
    }
    dropPipeline(ending)
    pending = []
    loop.outputQuota.give(waitingOutput, of: holder)
    loop.recycle(&output)
  }

  /// Drops the requests whose responses will not be sent.
  func dropPipeline(_ ending: StreamEnding) {
    let dropped = pipeline
    pipeline = []
    queuedBytes = 0
    for request in dropped {
      loop.bodyQuota.give(request.bodyBytes)
      loop.note(request, nil, bytes: 0, peer: parser.peer)
      if case .answered(let response) = request.state { response.stream?.ended(ending) }
    }
  }

  /// Shuts down: answers the requests that have arrived. A new connection may still send its first one.
  func drain() {
    guard !isClosed else { return }
    if let stream, stream.source.isEndless {
      finishStream(.shutdown)
    } else if isIdle, !inputEnded {
      // A request that arrived before the shutdown is still answered.
      readable()
    }
    guard !isClosed, isIdle else { return }
    if nextRequest == 0, loop.limits.firstRequestGrace > 0 {
      readPhase = .idle
      phaseRequest = nextRequest
      readDeadline = loop.now + loop.limits.firstRequestGrace
      schedule()
    } else {
      close(.shutdown)
    }
  }
}
