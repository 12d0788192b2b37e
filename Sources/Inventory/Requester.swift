/// The caller of a long read, for fair turns among callers, and to cancel the read when the client disconnects.
package struct Requester: Sendable {
  /// The party that takes turns with others.
  package enum Turn: Sendable, Hashable {
    case token(TokenID)
    /// The address of a client without a token.
    case address(UInt64)
  }

  /// Nil for the server's own reads, which do not take turns.
  package let turn: Turn?
  /// Whether the client has disconnected. Called from any thread, often.
  package let isGone: @Sendable () -> Bool

  package init(turn: Turn? = nil, isGone: @escaping @Sendable () -> Bool = { false }) {
    self.turn = turn
    self.isGone = isGone
  }

  /// The server itself.
  package static let server = Requester()
}
