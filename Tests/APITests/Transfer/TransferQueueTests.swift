import Dispatch
import HTTP
import Inventory
import Synchronization
import Testing

@testable import API

@Suite("Imports wait for each other, and small ones for no large one")
struct TransferQueueTests {
  private let queue = TransferQueue()
  private let context = ResponseContext(caller: .local, language: .english, requestID: "")
  private let large = TransferQueue.sizes[1] + 1

  /// Starts one that ends when the gate opens.
  private func start(
    _ size: Int, _ gate: DispatchSemaphore? = nil, isInMemory: Bool = false,
    for requester: Requester = .server, _ work: @escaping @Sendable () -> Void = {}
  ) -> (Inbox, Reply) {
    let inbox = Inbox()
    let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: inbox)
    let reply = queue.start(
      size, isInMemory: isInMemory, for: requester, context, send: { responder.send($0) }
    ) {
      gate?.wait()
      work()
      return Response(status: 204)
    }
    return (inbox, reply)
  }

  private func caller(_ number: UInt64, _ client: ClientPresence? = nil) -> Requester {
    Requester(turn: .address(number), isGone: { client?.isGone ?? false })
  }

  private func isRefused(_ reply: Reply) -> Bool {
    guard case .now(let response) = reply else { return false }
    return response.status == 409
  }

  @Test(arguments: TransferQueue.sizes.dropLast().map { $0 + 1 })
  func `a small one is done while all threads for larger ones are busy`(size: Int) throws {
    let gate = DispatchSemaphore(value: 0)
    let busy = (0..<TransferQueue.threads).map { _ in start(size, gate).0 }
    let waiting = start(size).0
    #expect(try start(1).0.wait().status == 204)
    #expect(waiting.answer == nil)
    for _ in busy { gate.signal() }
    #expect(try waiting.wait().status == 204)
    for inbox in busy { #expect(try inbox.wait().status == 204) }
  }

  @Test func `of very many some are refused`() throws {
    let gate = DispatchSemaphore(value: 0)
    let count = TransferQueue.capacity + TransferQueue.threads + 1
    var refused = 0
    var started: [Inbox] = []
    for _ in 0..<count {
      let (inbox, reply) = start(large, gate)
      if case .now(let response) = reply {
        #expect(response.status == 409)
        refused += 1
      } else {
        started.append(inbox)
      }
    }
    #expect(refused >= 1)
    for _ in started { gate.signal() }
    for inbox in started { #expect(try inbox.wait().status == 204) }
  }

  @Test func `of one caller's one of each size runs at a time, and others come in between`() throws
  {
    let gate = DispatchSemaphore(value: 0)
    let order = Mutex<[Int]>([])
    // The first of each caller takes a thread; of those that wait, the callers take turns.
    let jobs = [1, 1, 1, 2, 2].map { number in
      start(large, gate, for: caller(UInt64(number))) { order.withLock { $0.append(number) } }.0
    }
    let third = start(large, for: caller(3)) { order.withLock { $0.append(3) } }.0
    gate.signal()
    #expect(try third.wait().status == 204)
    #expect(order.withLock { $0.count } == 2)
    for _ in 1...4 { gate.signal() }
    for job in jobs { #expect(try job.wait().status == 204) }
    #expect(order.withLock { $0.sorted() } == [1, 1, 1, 2, 2, 3])
  }

  @Test func `one caller's are a quarter of those that wait`() throws {
    let gate = DispatchSemaphore(value: 0)
    var started: [Inbox] = []
    // One runs, the others wait.
    for _ in 0...(TransferQueue.capacity / TransferQueue.share) {
      let (inbox, reply) = start(large, gate, for: caller(1))
      #expect(!isRefused(reply))
      started.append(inbox)
    }
    #expect(isRefused(start(large, gate, for: caller(1)).1))
    let (inbox, reply) = start(large, gate, for: caller(2))
    #expect(!isRefused(reply))
    started.append(inbox)
    for _ in started { gate.signal() }
    for inbox in started { #expect(try inbox.wait().status == 204) }
  }

  @Test func `whoever has most gives way when there is no room`() throws {
    let gate = DispatchSemaphore(value: 0)
    let perCaller = TransferQueue.capacity / TransferQueue.share
    // Each caller's first job takes a thread, or waits.
    var jobs: [Inbox] = []
    for number in 1...4 {
      for _ in 0..<perCaller { jobs.append(start(large, gate, for: caller(UInt64(number))).0) }
    }
    // Two of them run.
    for _ in 0..<TransferQueue.threads { jobs.append(start(large, gate, for: caller(5)).0) }
    #expect(jobs.allSatisfy { $0.answer == nil })
    jobs.append(start(large, gate, for: caller(6)).0)
    let refused = jobs.indices.filter { jobs[$0].answer != nil }
    #expect(refused.count == 1 && refused[0] < 4 * perCaller)
    #expect(jobs[refused[0]].answer?.status == 409)
    for _ in jobs { gate.signal() }
    for inbox in jobs { _ = try inbox.wait() }
  }

  @Test func `bodies in memory are bounded by their bytes, a caller's to a quarter`() throws {
    let gate = DispatchSemaphore(value: 0)
    let size = TransferQueue.byteCapacity / TransferQueue.share / 2
    var started: [Inbox] = []
    for number in 1...3 as ClosedRange<UInt64> {
      // What runs does not count for its caller's share.
      let waiting = number <= UInt64(TransferQueue.threads) ? 3 : 2
      for _ in 1...waiting {
        let (inbox, reply) = start(size, gate, isInMemory: true, for: caller(number))
        #expect(!isRefused(reply))
        started.append(inbox)
      }
      #expect(isRefused(start(size, gate, isInMemory: true, for: caller(number)).1))
    }
    // Room for a fourth is made by one of theirs.
    started.append(start(size, gate, isInMemory: true, for: caller(4)).0)
    // So it is for one of another size.
    started.append(start(1, gate, isInMemory: true, for: caller(5)).0)
    for _ in started { gate.signal() }
    let statuses = try started.map { try $0.wait().status }
    #expect(statuses.count { $0 == 409 } == 2 && statuses.suffix(2) == [204, 204])
  }

  @Test func `a table larger than the room for all is read while no other is in memory`() throws {
    let gate = DispatchSemaphore(value: 0)
    let size = TransferQueue.byteCapacity + 1
    let (inbox, reply) = start(size, gate, isInMemory: true, for: caller(1))
    #expect(!isRefused(reply))
    #expect(isRefused(start(size, gate, isInMemory: true, for: caller(2)).1))
    gate.signal()
    #expect(try inbox.wait().status == 204)
  }

  @Test func `those whose client has disconnected are dropped before they begin`() throws {
    let gate = DispatchSemaphore(value: 0)
    let client = ClientPresence()
    let hasRun = Atomic<Bool>(false)
    let busy = start(large, gate, for: caller(1)).0
    let gone = (1...(TransferQueue.capacity / TransferQueue.share)).map { _ in
      start(large, for: caller(1, client)) { hasRun.store(true, ordering: .relaxed) }.0
    }
    #expect(isRefused(start(large, for: caller(1)).1))
    client.leave()
    // They make room at once.
    let (last, reply) = start(large, for: caller(1))
    #expect(!isRefused(reply))
    gate.signal()
    #expect(try busy.wait().status == 204)
    #expect(try last.wait().status == 204)
    for inbox in gone { #expect(try inbox.wait().status == 409) }
    let ran = hasRun.load(ordering: .relaxed)
    #expect(!ran)
  }
}
