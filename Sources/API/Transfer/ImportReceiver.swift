import HTTP

/// Keeps the body of an import until it is whole, and has it read then.
final class ImportReceiver: BodyReceiver {
  let limit: Int
  private let spool: Spool
  private let audience: Audience
  private let read: @Sendable (Spool, Responder) -> Reply

  init(
    _ spool: Spool, limit: Int, _ audience: Audience,
    read: @escaping @Sendable (Spool, Responder) -> Reply
  ) {
    self.spool = spool
    self.limit = limit
    self.audience = audience
    self.read = read
  }

  func started(_ signal: StreamSignal) {}

  func receive(_ piece: Span<UInt8>) -> Uptake {
    let failure: Spool.Failure? = piece.withUnsafeBytes { bytes in
      do throws(Spool.Failure) {
        try spool.append(bytes)
        return nil
      } catch { return error }
    }
    guard let failure else { return .more }
    return .respond(audience.response(Problem(failure.inventoryError)))
  }

  func finish(_ responder: Responder) -> Reply { read(spool, responder) }

  func brokenOff() {}
}
