import Glibc
import HTTP

/// One client's connection: what it has sent, what it awaits, and what it has yet to be sent.
///
/// It lives on its loop's thread. Its parts are in the files beside this one: input, answers, streams, output and
/// deadlines.
final class Connection {
  let loop: EventLoop
  /// The descriptor and a generation, so that an event for an earlier owner of the descriptor finds nobody.
  let key: UInt64
  let raw: Int32
  /// Nil once closed.
  private var descriptor: Descriptor?
  /// For those who work on answers elsewhere.
  let client = ClientPresence()

  // Input.
  var parser: RequestParser
  var incoming: Incoming?
  /// Input that was read but may not be looked at yet.
  var pending: [UInt8] = []
  /// Whether input is left over in the piece that is being parsed.
  var hasInputInHand = false
  /// Whether the client has shut down its side.
  var inputEnded = false
  /// Whether nothing that comes after what is being answered will be.
  var takesNoMore = false
  /// When the first byte of the request that is being read was handled, by the loop's stopwatch.
  var began: Int64 = 0

  // Answers.
  var exchanges: [Exchange] = []
  /// Bytes of the answers in `exchanges`.
  var queuedBytes = 0
  /// The number of the next request to be answered; those in `exchanges` are the ones before it.
  var nextExchange: UInt32 = 0
  var stream: OutgoingStream?

  // Output.
  var output: [UInt8] = []
  var sent = 0
  var isDirty = false
  var isBlocked = false
  /// Bytes of output and of answers before it that are taken from the budget of all connections.
  var waitingOutput = 0
  var interest = Poller.input
  var isRunnable = false
  /// Whether the connection ends once the output is written.
  var closesAfterFlush = false
  /// Whether the client may still be sending when the connection ends.
  var lingers = false
  /// Whether a client must see the end as a failure.
  var resets = false
  var isLingering = false

  // Deadlines, in the loop's milliseconds.
  var readDeadline = Int64.max
  var writeDeadline = Int64.max
  var readPhase = ReadPhase.none
  var phaseExchange: UInt32 = 0
  var scheduled = Int64.max
  var sentInWindow = 0

  init(loop: EventLoop, descriptor: consuming Descriptor, generation: UInt32, peer: Peer) {
    self.loop = loop
    raw = descriptor.raw
    key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor.raw))
    self.descriptor = consume descriptor
    parser = RequestParser(limits: loop.limits.head, peer: peer)
  }

  var isClosed: Bool { descriptor == nil }

  /// Who it is to the budgets of all connections.
  var holder: ByteBudget.Holder {
    ByteBudget.Holder(
      loop: loop.seed.index, connection: key, address: parser.peer?.high ?? 0)
  }

  /// Gives up what other connections have been given instead.
  func giveWay() {
    if waitingOutput > loop.outputBudget.held(by: holder) {
      cutOffReader()
    } else if let incoming, incoming.counted > loop.budget.held(by: holder) {
      refuse(.bodyMemoryExhausted)
      settleDeadline()
      loop.giveBackMemory()
    }
  }

  /// Whether nothing is being read, answered or written.
  var isIdle: Bool {
    incoming == nil && parser.isBetweenRequests && pending.isEmpty && exchanges.isEmpty
      && stream == nil && output.isEmpty && !isLingering
  }

  /// Whether the handler works on an answer.
  var awaitsAnswer: Bool {
    exchanges.contains { if case .waiting = $0.state { true } else { false } }
  }

  /// Ends the connection at once; whatever was under way is told.
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
    let stream = self.stream
    self.stream = nil
    if let stream {
      // What is left unsent may be of answers before it, too.
      if let bytes = stream.record?.bytes {
        stream.record?.bytes = max(0, bytes - (output.count - sent))
      }
      loop.note(stream)
      stream.source.ended(ending)
    }
    dropExchanges(ending)
    pending = []
    loop.outputBudget.give(waitingOutput, of: holder)
    loop.recycle(&output)
  }

  /// Gives up the requests whose answers won't be sent.
  func dropExchanges(_ ending: StreamEnding) {
    let dropped = exchanges
    exchanges = []
    queuedBytes = 0
    for exchange in dropped {
      loop.budget.give(exchange.bodyBytes)
      loop.note(exchange, nil, bytes: 0, peer: parser.peer)
      if case .answered(let response) = exchange.state { response.stream?.ended(ending) }
    }
  }

  /// The server shuts down: what is running is finished, and no more is begun.
  func drain() {
    guard !isClosed else { return }
    if let stream, stream.source.isEndless {
      finishStream(.shutdown)
    } else if isIdle, !inputEnded {
      // A request that came before the shutdown is still answered.
      readable()
    }
    guard !isClosed, isIdle else { return }
    if nextExchange == 0, loop.limits.firstRequestGrace > 0 {
      readPhase = .idle
      phaseExchange = nextExchange
      readDeadline = loop.now + loop.limits.firstRequestGrace
      schedule()
    } else {
      close(.shutdown)
    }
  }
}
