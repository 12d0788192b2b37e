import HTTP
import Inventory
import Synchronization

/// Sends what a spool holds, for as long as its reader may have it.
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
    guard sight.holds() else { return .fail }
    let start = sent.load(ordering: .relaxed)
    let before = output.count
    // Mostly in memory: written a moment ago, or fetched while the last piece was sent.
    do throws(Spool.Failure) {
      try spool.read(at: start, limit: max(limit, 1), into: &output)
    } catch { return .fail }
    let now = start + output.count - before
    sent.store(now, ordering: .relaxed)
    spool.fetchAhead(from: now, count: Self.ahead)
    return now == spool.count ? .end : .more
  }
}

/// Whether a caller is still let in and still sees a list, as the stream of a download asks from piece to piece.
final class ListSight: @unchecked Sendable {
  // Sendable because `session` is used by one thread alone: sources are pulled from on the loop of their connection, whose
  // handler's session it is.
  private let session: any ReadSession
  private let store: any Store
  private let list: ListReference
  private let caller: Caller
  private let isLost = Atomic<Bool>(false)

  /// - Parameter session: of the loop that the stream is on.
  init(
    of list: ListReference, for caller: Caller, in store: any Store, by session: any ReadSession
  ) {
    self.list = list
    self.caller = caller
    self.store = store
    self.session = session
  }

  /// Asked on the loop. What takes a look of the store's workers counts from the next time on.
  func holds() -> Bool {
    guard store.isAuthorized(caller), !isLost.load(ordering: .relaxed) else { return false }
    let result = session.read(
      .bounded,
      { [list, caller] (snapshot) throws(InventoryError) in
        _ = try snapshot.list(list, for: caller)
      }, later: { self.note($0) })
    if let result { note(result) }
    return !isLost.load(ordering: .relaxed)
  }

  private func note(_ result: Result<Void, InventoryError>) {
    switch result {
    case .failure(.notFound), .failure(.inTrash): isLost.store(true, ordering: .relaxed)
    // A server that is busy, or fails, does not break off what it has begun.
    case .success, .failure: break
    }
  }
}
