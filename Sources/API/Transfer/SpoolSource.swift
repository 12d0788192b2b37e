import HTTP
import Inventory
import Synchronization

/// Sends a spool while its reader may see the list. The first piece is always sent: the reader could see it when it was
/// read, and the head of the response, which gives the length, may be sent already.
final class SpoolSource: BodySource {
  private let spool: Spool
  private let sight: ListSight
  private let sent = Atomic<Int>(0)

  private static let ahead = 256 << 10

  init(_ spool: Spool, while sight: ListSight) {
    self.spool = spool
    self.sight = sight
  }

  var length: Int? { spool.count }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    let start = sent.load(ordering: .relaxed)
    guard start == 0 || sight.holds() else { return .fail }
    let before = output.count
    // Usually in memory: just written, or read ahead while the last piece was sent.
    do throws(Spool.Failure) {
      try spool.read(at: start, limit: max(limit, 1), into: &output)
    } catch { return .fail }
    let now = start + output.count - before
    sent.store(now, ordering: .relaxed)
    spool.fetchAhead(from: now, count: Self.ahead)
    return now == spool.count ? .end : .more
  }
}

/// Whether a caller is still authorized and still sees a list. A download checks it before each piece.
final class ListSight: @unchecked Sendable {
  // Sendable: only one thread uses `session`. The connection's loop pulls from its sources, and its handler owns the
  // session.
  private let session: any ReadSession
  private let store: any Store
  private let list: ListReference
  private let caller: Caller
  private let isLost = Atomic<Bool>(false)

  /// - Parameter session: the session of the stream's loop.
  init(
    of list: ListReference, for caller: Caller, in store: any Store, by session: any ReadSession
  ) {
    self.list = list
    self.caller = caller
    self.store = store
    self.session = session
  }

  /// Call it on the loop. If the store's workers do the look-up, its result counts from the next call on.
  func holds() -> Bool {
    guard store.isAuthorized(caller), !isLost.load(ordering: .relaxed) else { return false }
    let result = session.read(
      .bounded, as: caller,
      { [list] (snapshot) throws(InventoryError) in _ = try snapshot.list(list) },
      later: { self.note($0) })
    if let result { note(result) }
    return !isLost.load(ordering: .relaxed)
  }

  private func note(_ result: Result<Void, InventoryError>) {
    switch result {
    case .failure(.notFound), .failure(.inTrash): isLost.store(true, ordering: .relaxed)
    // A busy or failing store does not end a download.
    case .success, .failure: break
    }
  }
}
