/// The number of an offline client's write, so that the write is done once, whenever and however often it is sent.
package struct SyncStep: Sendable {
  /// The id that the client chose. Each token has clients of its own in each inventory.
  package var client: SyncClientID
  /// 1 for the client's first write, and one more for each further write.
  package var number: Int64
  /// The number of the first write of its batch. The client knows the results of all earlier writes.
  package var first: Int64
  /// The SHA-256 digest of what the client sent. Two copies of a client's data use the same numbers for different writes.
  package var digest: [UInt8]
  /// The digest of the write before it in its batch; nil for the first one. If that write is refused because another one
  /// has its number, the writes behind it must not be done either.
  package var previous: [UInt8]?
  /// Encodes the result to store. Called inside the change.
  package var encode: @Sendable (SyncResult) -> [UInt8]

  package init(
    client: SyncClientID, number: Int64, first: Int64, digest: [UInt8],
    previous: [UInt8]? = nil, encode: @escaping @Sendable (SyncResult) -> [UInt8]
  ) {
    self.client = client
    self.number = number
    self.first = first
    self.digest = digest
    self.previous = previous
    self.encode = encode
  }
}

/// The result of an offline client's write.
package enum SyncResult: Sendable {
  case done(Outcome)
  /// The write broke a rule, and is never tried again.
  case refused(InventoryError)
  /// It was done or refused before, and the result is no longer stored.
  case repeated
}
