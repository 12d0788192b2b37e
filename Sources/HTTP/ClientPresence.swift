import Synchronization

/// Whether the client of a connection is still connected. Can be read from any thread.
package final class ClientPresence: Sendable {
  private let hasLeft = Atomic<Bool>(false)

  package init() {}

  /// Whether a response could no longer reach the client.
  package var isGone: Bool { hasLeft.load(ordering: .relaxed) }

  /// Marks the client as gone: the connection is closed, or the client shut down its side and the wait for it is over.
  package func leave() { hasLeft.store(true, ordering: .relaxed) }
}
