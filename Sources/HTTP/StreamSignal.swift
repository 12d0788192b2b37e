import Synchronization

/// Lets a stream go on, from any thread; many calls before the loop comes to it count as one.
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

  /// The loop is about to look at the stream: what changes from now on needs another call.
  package func lower() {
    isRaised.store(false, ordering: .sequentiallyConsistent)
  }
}
