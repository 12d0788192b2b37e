import HTTP
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
