/// What makes a write safe to send again: a key of the client's own, under which the first answer is
/// kept with the change.
package struct IdempotentRequest: Sendable {
  /// Who asks for what: keys of different scopes have nothing to do with each other.
  package var scope: [UInt8]
  package var key: String
  /// Of all that the client sent; another one under the same key is another request.
  package var fingerprint: [UInt8]
  /// Makes the answer that is kept; called once, inside the change, if the write succeeds.
  package var encode: @Sendable (Outcome) -> [UInt8]

  /// In seconds.
  package static let lifetime: Int64 = 24 * 60 * 60

  package init(
    scope: [UInt8], key: String, fingerprint: [UInt8],
    encode: @escaping @Sendable (Outcome) -> [UInt8]
  ) {
    self.scope = scope
    self.key = key
    self.fingerprint = fingerprint
    self.encode = encode
  }
}

/// The answer to a write with a key, as its `IdempotentRequest` encoded it.
package struct StoredResponse: Sendable, Equatable {
  package var bytes: [UInt8]
  /// Whether an earlier write with this key was given it, and this one has changed nothing.
  package var isReplayed: Bool

  package init(bytes: [UInt8], isReplayed: Bool) {
    self.bytes = bytes
    self.isReplayed = isReplayed
  }
}
