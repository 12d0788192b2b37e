/// Who waits for a long read: so that no caller takes all workers, and nobody works for one who has left.
package struct Requester: Sendable {
  /// Whose turn a read is.
  package enum Turn: Sendable, Hashable {
    case token(TokenID)
    /// Where whoever shows no token connects from.
    case address(UInt64)
  }

  /// Nil for reads that the server makes for itself; they take turns with nobody.
  package let turn: Turn?
  /// Whether the answer would reach nobody by now; called from any thread, often.
  package let isGone: @Sendable () -> Bool

  package init(turn: Turn? = nil, isGone: @escaping @Sendable () -> Bool = { false }) {
    self.turn = turn
    self.isGone = isGone
  }

  /// The server itself.
  package static let server = Requester()
}
