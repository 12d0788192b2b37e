import CLinux
import Glibc
import HTTP

/// The parts from which one of the server's loops is made.
struct LoopSeed: Sendable {
  let index: Int
  let configuration: HTTPServer.Configuration
  let poller: Poller
  let listeners: [Listener]
  let gate: ConnectionGate
  let bodyQuota: ByteQuota
  let outputQuota: ByteQuota
  /// The mailboxes of all loops, including this one.
  let mailboxes: [Mailbox]
  let makeHandler: HandlerMaker

  /// Returns a connection's place to the gate. Wakes all loops if one of them waits for a place.
  func leaveGate() {
    if gate.leave() {
      for mailbox in mailboxes { mailbox.post(.wake) }
    }
  }
}

/// The connections of one thread. Waits for events, dispatches them, and writes once for each wake-up.
final class EventLoop {
  static let mailboxKey = UInt64.max
  static let listenerKeys: UInt64 = 0xFFFF_FFFF_0000_0000

  let limits: Limits
  let time: any TimeSource
  let poller: Poller
  let mailbox: Mailbox
  let bodyQuota: ByteQuota
  let outputQuota: ByteQuota
  let handler: any Handler
  let observer: (any AccessObserver)?
  let seed: LoopSeed
  /// The buffer for all reads. Nothing stays in it after an event.
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)

  /// The clock's time at this wake-up.
  private(set) var now: Int64
  private(set) var timeSince1970: Int64 = 0
  private(set) var dateLine: [UInt8] = []
  private(set) var isDraining = false
  var wheel: TimerWheel
  var dirty: [Connection] = []
  /// The finished requests of this wake-up.
  var counted: [CountedRequest] = []
  var noted: [AccessRecord] = []
  var counts = LoopCounts()

  private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
  private var acceptor: Acceptor
  /// Connections by descriptor.
  private var connections: [Connection?] = []
  private var connectionCount = 0
  private var generation: UInt32 = 0
  private var runnable: [Connection] = []
  /// Whose connection was continued last.
  private var lastTurn: UInt64?
  private var due: [UInt64] = []
  private var mail: [Mail] = []
  private var dateSecond: Int64 = -1
  private var drainDeadline = Int64.max
  /// The time of the handler's next call, in milliseconds; nil for none.
  private var handlerTime: Int64?
  private var spareOutputs: [[UInt8]] = []
  /// The buffer for the pieces of streams.
  var scratch: [UInt8] = []
  /// The earliest time, in milliseconds, at which other loops are asked to make room again.
  private var nextAsking: Int64 = 0
  /// The earliest time, in milliseconds, at which memory is returned to the system again.
  private var nextGivingBack: Int64 = 0

  init(_ seed: LoopSeed) {
    self.seed = seed
    limits = seed.configuration.limits
    time = seed.configuration.time
    poller = seed.poller
    mailbox = seed.mailboxes[seed.index]
    bodyQuota = seed.bodyQuota
    outputQuota = seed.outputQuota
    handler = seed.makeHandler(seed.index, LoopWaker { [mailbox] in mailbox.post(.wake) })
    observer = seed.configuration.observer
    now = time.milliseconds()
    wheel = TimerWheel(now: now)
    acceptor = Acceptor(
      listeners: seed.listeners, reserved: seed.configuration.reservedAddress, gate: seed.gate,
      poller: seed.poller, acceptCall: seed.configuration.acceptCall, leave: seed.leaveGate)
    _ = poller.add(mailbox.raw, Poller.input | Poller.edge, key: Self.mailboxKey)
    acceptor.reconsider(limits: limits, now: now)
  }

  deinit {
    readBuffer.deallocate()
    events.deallocate()
  }

  /// Runs until the server shuts down, and all work is finished or the time for it is over.
  func run() {
    while !(isDraining && (connectionCount == 0 || now >= drainDeadline)) {
      let count = poller.wait(events, timeout: timeout())
      updateTime()
      for event in events[0..<count] { dispatch(event) }
      readMail()
      runPaused()
      fireTimers()
      if acceptor.isWaitingForRoom, !makeRoom() { askForRoom() }
      acceptor.reconsider(limits: limits, now: now)
      flush()
      handlerTime = handler.wakeUpEnded(now: now)
      tellObserver()
    }
    for connection in connections { connection?.close(.shutdown) }
    tellObserver()
    runnable = []
    for letter in mailbox.close() {
      switch letter {
      case .answer(_, let response): response.stream?.ended(.shutdown)
      case .report(let collector): collector.take(counts)
      case .resume, .abandon, .giveWay, .makeRoom, .wake, .drain: break
      }
    }
  }

  private func timeout() -> Int32 {
    if !runnable.isEmpty { return 0 }
    var wait = wheel.wait(from: now) ?? .max
    if isDraining { wait = min(wait, drainDeadline - now) }
    if let retry = acceptor.retryTime { wait = min(wait, retry - now) }
    if let handlerTime { wait = min(wait, handlerTime - now) }
    if acceptor.isWaitingForRoom { wait = min(wait, limits.leastIdleTime) }
    return wait == .max ? -1 : Int32(clamping: max(0, wait))
  }

  private func updateTime() {
    now = time.milliseconds()
    timeSince1970 = time.millisecondsSince1970()
    setDate(time.date ?? timeSince1970 / 1000)
  }

  private func setDate(_ second: Int64) {
    if second != dateSecond {
      dateSecond = second
      dateLine = utcText(second, "Date: \(httpDate)\r\n")
    }
  }

  private func dispatch(_ event: epoll_event) {
    let key = event.data.u64
    if let connection = connection(key) {
      connection.ready(event.events)
    } else if key != Self.mailboxKey, key >= Self.listenerKeys {
      // Accepts at most one client, so that the loops share a burst of them.
      let accepted = acceptor.accept(
        from: Int(key - Self.listenerKeys), limits: limits, now: now)
      if let accepted { adopt(accepted.raw, accepted.peer) }
    }
  }

  private func connection(_ key: UInt64) -> Connection? {
    let index = Int(key & 0xFFFF_FFFF)
    guard index < connections.count, let connection = connections[index], connection.key == key
    else { return nil }
    return connection
  }

  private func adopt(_ raw: Int32, _ peer: Peer) {
    // The highest generation would look like a listener's key.
    generation = generation == UInt32.max - 1 ? 0 : generation + 1
    let connection = Connection(
      loop: self, descriptor: Descriptor(raw), generation: generation, peer: peer)
    guard poller.add(raw, Poller.input, key: connection.key) else {
      seed.leaveGate()
      return
    }
    let index = Int(raw)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    connectionCount += 1
    counts.connections += 1
    connection.settleDeadline()
  }

  /// Closes the connection that has been idle longest, if it has been for a while and a client waits. Otherwise one
  /// client's idle connections could keep all new clients out. Returns false if a client waits and none was closed.
  @discardableResult
  private func makeRoom() -> Bool {
    guard acceptor.needsRoom else { return true }
    var latest = now + limits.idleTime - limits.leastIdleTime
    var oldest: Connection?
    for case let connection? in connections
    where connection.readPhase == .idle && connection.isIdle && !connection.awaitsTurn
      && connection.readDeadline <= latest
    {
      latest = connection.readDeadline - 1
      oldest = connection
    }
    oldest?.close()
    return oldest != nil
  }

  /// Asks the other loops to make room. The system tells only one loop of a waiting client (`EPOLLEXCLUSIVE`), and the
  /// idle connections may all belong to others.
  private func askForRoom() {
    guard now >= nextAsking else { return }
    nextAsking = now + limits.leastIdleTime
    for other in seed.mailboxes where other !== mailbox { other.post(.makeRoom) }
  }

  /// Forgets a connection that has closed its descriptor.
  func removed(_ connection: Connection) {
    connections[Int(connection.raw)] = nil
    connectionCount -= 1
    seed.leaveGate()
  }

  private func readMail() {
    var taken = mail
    mail = []
    taken = mailbox.take(taken)
    // A request that set the clock is answered with the new time.
    if !taken.isEmpty, let second = time.date { setDate(second) }
    for letter in taken {
      switch letter {
      case .answer(let ticket, let response):
        if let connection = connection(ticket.connection) {
          connection.deliver(response, request: ticket.request)
        } else {
          response.stream?.ended(.clientGone)
        }
      case .resume(let ticket): connection(ticket.connection)?.resume(request: ticket.request)
      case .abandon(let ticket):
        connection(ticket.connection)?.abandon(request: ticket.request)
      case .giveWay(let key): connection(key)?.giveWay()
      case .makeRoom: makeRoom()
      case .wake: break
      case .drain(let milliseconds): drain(milliseconds)
      case .report(let collector):
        counts.turnedAway = acceptor.turnedAway
        collector.take(counts)
      }
    }
    taken.removeAll(keepingCapacity: taken.capacity <= 1024)
    mail = taken
  }

  private func drain(_ milliseconds: Int64) {
    guard !isDraining else { return }
    // For these clients, the connection is already established.
    while let accepted = acceptor.acceptQueued(limits: limits, now: now) {
      adopt(accepted.raw, accepted.peer)
    }
    isDraining = true
    drainDeadline = now + milliseconds
    acceptor.stop()
    for connection in connections { connection?.drain() }
  }

  /// Continues the connection in the next round, after the others.
  func run(_ connection: Connection) {
    if !connection.isRunnable {
      connection.isRunnable = true
      runnable.append(connection)
    }
  }

  /// Continues paused connections, oldest first, for a bounded time. So however many there are, and however dear each
  /// of their requests is, the other connections wait for few of them. Callers take turns.
  private func runPaused() {
    guard !runnable.isEmpty else { return }
    let end = stopwatch + limits.timeInOneGo
    // A connection that pauses again is appended, and waits for the next round.
    var left = runnable.count
    repeat {
      let next = runnable[..<left].firstIndex { $0.turn != lastTurn } ?? 0
      let connection = runnable.remove(at: next)
      left -= 1
      lastTurn = connection.turn
      connection.proceed()
    } while left > 0 && stopwatch < end
  }

  private func fireTimers() {
    wheel.advance(to: now, into: &due)
    for key in due { connection(key)?.timerFired() }
    due.removeAll(keepingCapacity: due.capacity <= 1024)
  }

  private func flush() {
    var index = 0
    // Ending one stream may begin another's output, so the list may grow.
    while index < dirty.count {
      dirty[index].flush()
      index += 1
    }
    dirty.removeAll(keepingCapacity: true)
  }

  /// Takes bytes of a quota for a connection, and notifies the connections that lose theirs. Returns false if too few
  /// bytes are left.
  func take(_ count: Int, from quota: ByteQuota, for holder: ByteQuota.Holder) -> Bool {
    guard let others = quota.take(count, for: holder) else { return false }
    for other in others { seed.mailboxes[other.loop].post(.giveWay(other.connection)) }
    return true
  }

  /// Gives a connection an output buffer, a used one if possible.
  func lend(_ output: inout [UInt8]) {
    if output.capacity == 0 {
      if let spare = spareOutputs.popLast() {
        output = spare
      } else {
        output.reserveCapacity(4096)
      }
    }
  }

  /// Takes the buffer of a connection that has written everything, so that an idle one has none.
  func recycle(_ output: inout [UInt8]) {
    guard output.capacity > 0 else { return }
    if output.capacity <= 128 << 10, spareOutputs.count < 64 {
      output.removeAll(keepingCapacity: true)
      spareOutputs.append(output)
    }
    output = []
  }

  /// Returns freed memory to the system, at most twice a second. A flood of growing bodies that are refused leaves
  /// holes of many sizes, which other bodies do not fit into.
  func giveBackMemory() {
    guard now >= nextGivingBack else { return }
    nextGivingBack = now + 500
    rowhouse_give_back_memory()
  }
}
