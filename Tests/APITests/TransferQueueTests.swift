import Dispatch
import HTTP
import Inventory
import Testing

@testable import API

@Suite("Imports wait for each other, and small ones for no large one")
struct TransferQueueTests {
  private let queue = TransferQueue()
  private let audience = Audience(caller: .local, language: .english, requestID: "")
  private let large = TransferQueue.small + 1

  /// Starts one that ends when the gate opens.
  private func start(_ size: Int, _ gate: DispatchSemaphore? = nil) -> (Inbox, Reply) {
    let inbox = Inbox()
    let responder = Responder(ticket: Ticket(connection: 0, exchange: 0), sink: inbox)
    let reply = queue.start(size, audience, responder) {
      gate?.wait()
      return Response(status: 204)
    }
    return (inbox, reply)
  }

  @Test func `a small one is done while all threads for large ones are busy`() throws {
    let gate = DispatchSemaphore(value: 0)
    let busy = (0..<TransferQueue.threads).map { _ in start(large, gate).0 }
    let waiting = start(large).0
    #expect(try start(1).0.wait().0.status == 204)
    #expect(waiting.answer == nil)
    for _ in busy { gate.signal() }
    #expect(try waiting.wait().0.status == 204)
    for inbox in busy { #expect(try inbox.wait().0.status == 204) }
  }

  @Test func `of very many some are refused`() throws {
    let gate = DispatchSemaphore(value: 0)
    let count = TransferQueue.capacity + TransferQueue.threads + 1
    var refused = 0
    var started: [Inbox] = []
    for _ in 0..<count {
      let (inbox, reply) = start(large, gate)
      if case .response(let response) = reply {
        #expect(response.status == 409)
        refused += 1
      } else {
        started.append(inbox)
      }
    }
    #expect(refused >= 1)
    for _ in started { gate.signal() }
    for inbox in started { #expect(try inbox.wait().0.status == 204) }
  }
}
