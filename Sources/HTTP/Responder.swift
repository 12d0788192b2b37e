import Synchronization

/// Answers one request later, once, from any thread. If it is dropped without an answer, the server sends 500.
package final class Responder: Sendable {
  private let ticket: Ticket
  private let sink: any ReplySink
  /// The client that waits for the response.
  package let client: ClientPresence
  private let isAnswered = Atomic<Bool>(false)

  package init(ticket: Ticket, sink: any ReplySink, client: ClientPresence = ClientPresence()) {
    self.ticket = ticket
    self.sink = sink
    self.client = client
  }

  deinit {
    if !isAnswered.load(ordering: .acquiring) { sink.abandon(ticket) }
  }

  /// Sends the response. A second response is ignored, and its stream ends at once.
  package func send(_ response: Response) {
    if !isAnswered.exchange(true, ordering: .acquiringAndReleasing) {
      sink.deliver(response, for: ticket)
    } else {
      response.stream?.ended(.clientGone)
    }
  }

  /// Marks the request as answered in another way.
  package func retire() {
    isAnswered.store(true, ordering: .releasing)
  }
}

/// Receives responses sent later. Every method can be called from any thread.
package protocol ReplySink: AnyObject, Sendable {
  func deliver(_ response: Response, for ticket: Ticket)
  func resume(_ ticket: Ticket)
  func abandon(_ ticket: Ticket)
}

/// Identifies one request of one connection of one loop.
package struct Ticket: Sendable, Hashable {
  package let connection: UInt64
  package let request: UInt32

  package init(connection: UInt64, request: UInt32) {
    self.connection = connection
    self.request = request
  }
}

/// Whether the client of a connection is still connected. Can be read from any thread.
package final class ClientPresence: Sendable {
  private let hasLeft = Atomic<Bool>(false)

  package init() {}

  /// Whether the client is taken to be gone. A response may still reach a client that has shut down only its side.
  package var isGone: Bool { hasLeft.load(ordering: .relaxed) }

  /// Marks the client as gone: the connection is closed, or the client shut down its side and the wait for it is over.
  package func leave() { hasLeft.store(true, ordering: .relaxed) }
}
