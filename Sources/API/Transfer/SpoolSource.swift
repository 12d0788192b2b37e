import HTTP
import Synchronization

/// Sends what a spool holds.
final class SpoolSource: BodySource {
  private let spool: Spool
  private let sent = Atomic<Int>(0)

  init(_ spool: Spool) { self.spool = spool }

  var length: Int? { spool.count }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    let start = sent.load(ordering: .relaxed)
    let before = output.count
    // The file was written a moment ago, so that its bytes are in memory.
    do throws(Spool.Failure) {
      try spool.read(at: start, limit: max(limit, 1), into: &output)
    } catch { return .fail }
    let now = start + output.count - before
    sent.store(now, ordering: .relaxed)
    return now == spool.count ? .end : .more
  }
}
