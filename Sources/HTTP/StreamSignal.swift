import Synchronization

/// Resumes a paused stream from any thread. Several calls before the loop reads the signal count as one.
package final class StreamSignal: Sendable {
  private let ticket: Ticket
  private let sink: any ReplySink
  private let isRaised = Atomic<Bool>(false)

  package init(ticket: Ticket, sink: any ReplySink) {
    self.ticket = ticket
    self.sink = sink
  }

  package func resume() {
    if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { sink.resume(ticket) }
  }

  /// Resets the signal before the loop reads the stream. Later changes need a new `resume`.
  package func lower() {
    isRaised.store(false, ordering: .sequentiallyConsistent)
  }
}
