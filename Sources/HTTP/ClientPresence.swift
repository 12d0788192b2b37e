import Synchronization

/// Whether the client of a connection is still connected. Can be read from any thread.
package final class ClientPresence: Sendable {
  private let hasLeft = Atomic<Bool>(false)

  package init() {}

  /// Whether no answer would reach the client. From any thread.
  package var isGone: Bool { hasLeft.load(ordering: .relaxed) }

  /// The connection is closed, or the client has shut down its side and been waited for.
  package func leave() { hasLeft.store(true, ordering: .relaxed) }
}
