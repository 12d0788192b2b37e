import HTTP
import Inventory
import Synchronization

/// Keeps the body of an import until it is whole, and has it read then.
final class ImportReceiver: BodyReceiver {
  typealias Read = @Sendable (Spool, _ digest: [UInt8]?, Responder) -> Reply

  let limit: Int
  private let spool: Spool
  private let audience: Audience
  private let read: Read
  private let hash: Mutex<SHA256?>

  /// - Parameter isHashed: whether `read` is to get the body's digest.
  init(
    _ spool: Spool, limit: Int, _ audience: Audience, isHashed: Bool, read: @escaping Read
  ) {
    self.spool = spool
    self.limit = limit
    self.audience = audience
    self.read = read
    hash = Mutex(isHashed ? SHA256() : nil)
  }

  func started(_ signal: StreamSignal) {}

  func receive(_ piece: Span<UInt8>) -> Uptake {
    let failure: Spool.Failure? = piece.withUnsafeBytes { bytes in
      do throws(Spool.Failure) {
        try spool.append(bytes)
        return nil
      } catch { return error }
    }
    if let failure { return .respond(audience.response(Problem(failure.inventoryError))) }
    hash.withLock { $0?.take(piece) }
    return .more
  }

  func finish(_ responder: Responder) -> Reply {
    read(spool, hash.withLock { $0?.digest() }, responder)
  }

  func brokenOff() {}
}
