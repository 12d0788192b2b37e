import Inventory

/// The pages of many rows that a loop still has to read.
///
/// Such a page takes one or two milliseconds. So the loop reads them after all other requests of a wake-up have been
/// answered, one for each wake-up. Clients take turns.
package final class LargePages {
  private struct Page {
    let requester: Requester
    let read: () -> Void
  }

  /// A page of more rows waits for its turn.
  static let threshold = 200

  private var waiting: [Page] = []
  /// The number of the last turn of each client that waits.
  private var turns: [Requester.Turn?: UInt64] = [:]
  private var turn: UInt64 = 0

  func add(for requester: Requester, _ read: @escaping () -> Void) {
    waiting.append(Page(requester: requester, read: read))
  }

  /// Reads the next page. Returns whether more are waiting.
  @discardableResult package func readNext() -> Bool {
    waiting.removeAll { $0.requester.isGone() }
    let next = waiting.indices.min {
      turns[waiting[$0].requester.turn, default: 0] < turns[waiting[$1].requester.turn, default: 0]
    }
    guard let next else {
      turns = [:]
      return false
    }
    let page = waiting.remove(at: next)
    turn += 1
    turns[page.requester.turn] = turn
    page.read()
    if waiting.isEmpty { turns = [:] }
    return !waiting.isEmpty
  }
}
