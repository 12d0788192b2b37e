import CLinux
import Glibc
import HTTP
import Synchronization
import Threads

/// Makes the handler of a loop, on that loop's thread. The waker wakes that loop.
package typealias HandlerMaker = @Sendable (_ loop: Int, _ waker: LoopWaker) -> any Handler

/// An HTTP/1.1 server. It binds, runs one thread per loop, and lets running requests finish when it shuts down.
package final class HTTPServer: Sendable {
  package struct Configuration: Sendable {
    package var addresses: [ListenAddress]
    /// The index in `addresses` of the address that accepts a few clients beyond the limit of connections, so that
    /// operators can connect; nil for none.
    package var reservedAddress: Int?
    /// The number of threads; by default the number of cores.
    package var loops = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    package var limits = Limits()
    /// The file mode of Unix sockets whose addresses name none.
    package var unixMode: UInt32 = 0o600
    package var time: any TimeSource = SystemTime()
    package var observer: (any AccessObserver)?
    /// Replaced by tests that let descriptors run out.
    package var acceptCall: AcceptCall = { rowhouse_accept($0, $1, $2) }

    package init(addresses: [ListenAddress]) { self.addresses = addresses }
  }

  private struct Running {
    var listeners: [Listener] = []
    var mailboxes: [Mailbox] = []
    var threads: [WorkerThread] = []
  }

  private let configuration: Configuration
  private let makeHandler: HandlerMaker
  private let gate: ConnectionGate
  private let bodyQuota: ByteQuota
  private let outputQuota: ByteQuota
  private let running = Mutex(Running())

  package init(_ configuration: Configuration, makeHandler: @escaping HandlerMaker) {
    self.configuration = configuration
    self.makeHandler = makeHandler
    gate = ConnectionGate(limit: configuration.limits.connections)
    bodyQuota = ByteQuota(limit: configuration.limits.bufferedBodies)
    outputQuota = ByteQuota(limit: configuration.limits.waitingOutput)
  }

  /// The bound addresses with their real ports, in the order of the configuration.
  package var addresses: [ListenAddress] {
    running.withLock { $0.listeners.map(\.address) }
  }

  package var openConnections: Int { gate.open }

  /// Bytes of buffered bodies of unanswered requests, without those that `uncountedBody` exempts.
  package var bufferedBytes: Int { bodyQuota.inUse }

  /// Bytes of output that wait for their readers.
  package var waitingOutput: Int { outputQuota.inUse }

  /// Asks the loops for their counts. Calls `completion` once, from any thread; at once and without the loops' counts
  /// before the start and after the shutdown.
  package func report(_ completion: @escaping @Sendable (ServerCounts) -> Void) {
    let counts = ServerCounts(
      openConnections: openConnections, bufferedBytes: bufferedBytes, waitingOutput: waitingOutput)
    let mailboxes = running.withLock { $0.mailboxes }
    guard !mailboxes.isEmpty else { return completion(counts) }
    let collector = CountsCollector(counts, loops: mailboxes.count, completion: completion)
    for mailbox in mailboxes where !mailbox.post(.report(collector)) { collector.take(nil) }
  }

  /// Binds and listens. Clients can connect now, and are served after `start`.
  package func bind() throws(ServerError) {
    var listeners: [Listener] = []
    for address in configuration.addresses {
      listeners.append(try Listener(address, unixMode: configuration.unixMode))
    }
    let bound = listeners
    running.withLock { $0.listeners = bound }
  }

  /// Starts the threads of the loops.
  package func start() throws(ServerError) {
    var mailboxes: [Mailbox] = []
    var pollers: [Poller] = []
    for _ in 0..<configuration.loops {
      mailboxes.append(try Mailbox())
      pollers.append(try Poller())
    }
    let boxes = mailboxes
    let listeners = running.withLock { state in
      state.mailboxes = boxes
      return state.listeners
    }
    for index in 0..<configuration.loops {
      let seed = LoopSeed(
        index: index, configuration: configuration, poller: pollers[index], listeners: listeners,
        gate: gate, bodyQuota: bodyQuota, outputQuota: outputQuota, mailboxes: boxes,
        makeHandler: makeHandler)
      do {
        let thread = try WorkerThread(serving: .prompt) { EventLoop(seed).run() }
        running.withLock { $0.threads.append(thread) }
      } catch {
        shutdown(deadline: 0)
        throw error
      }
    }
  }

  /// Makes every loop look at the clock.
  package func wake() {
    for mailbox in running.withLock({ $0.mailboxes }) { mailbox.post(.wake) }
  }

  /// Stops accepting, closes idle connections, and lets running requests finish within `milliseconds`. Returns when all
  /// loops have ended.
  package func shutdown(deadline milliseconds: Int64) {
    let stopped = running.withLock { state in
      let stopped = state
      state = Running()
      return stopped
    }
    for mailbox in stopped.mailboxes { mailbox.post(.drain(milliseconds: milliseconds)) }
    for thread in stopped.threads { thread.join() }
  }
}
