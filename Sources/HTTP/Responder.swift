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
    if takesAnswer() {
      sink.deliver(response, for: ticket)
    } else {
      response.stream?.ended(.clientGone)
    }
  }

  /// Marks the request as answered in another way.
  package func retire() {
    isAnswered.store(true, ordering: .releasing)
  }

  private func takesAnswer() -> Bool {
    !isAnswered.exchange(true, ordering: .acquiringAndReleasing)
  }
}
