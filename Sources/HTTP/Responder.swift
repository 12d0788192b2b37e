import Synchronization

/// Answers one request later, from any thread, once; if it goes unanswered, the server answers 500.
package final class Responder: Sendable {
  private let ticket: Ticket
  private let sink: any ReplySink
  /// The client that waits for the answer.
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

  /// Sends the answer; a second one is ignored, and its stream ends at once.
  package func send(_ response: Response) {
    if takesAnswer() {
      sink.deliver(response, for: ticket)
    } else {
      response.stream?.ended(.clientGone)
    }
  }

  /// The answer has been given by other means.
  package func retire() {
    isAnswered.store(true, ordering: .releasing)
  }

  private func takesAnswer() -> Bool {
    !isAnswered.exchange(true, ordering: .acquiringAndReleasing)
  }
}
