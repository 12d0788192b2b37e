/// The idempotency key of a write. The first response is stored under it together with the change.
package struct IdempotentRequest: Sendable {
  /// The caller and the call. Equal keys of different scopes are unrelated.
  package var scope: [UInt8]
  package var key: String
  /// The digest of the query and the body. Another digest with the same key is another request.
  package var fingerprint: [UInt8]
  /// Encodes the response to store. Called in the transaction of the change if the write succeeds, and again if that
  /// transaction is rolled back and the write repeated.
  package var encode: @Sendable (Outcome) -> [UInt8]

  /// The least time that a response is stored, in seconds. A later sweep deletes it.
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

/// The response to a write with a key, as its `IdempotentRequest` encoded it, or the result of an offline client's write,
/// as its `SyncStep` encoded it.
package struct StoredResponse: Sendable, Equatable {
  package var bytes: [UInt8]
  /// Whether it was stored by an earlier write with this key. Then this write has changed nothing.
  package var isReplayed: Bool

  package init(bytes: [UInt8], isReplayed: Bool) {
    self.bytes = bytes
    self.isReplayed = isReplayed
  }
}
