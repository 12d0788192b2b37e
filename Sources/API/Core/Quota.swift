import Inventory
import Synchronization

/// A counter with a limit, shared by all loops. A token may take an amount only if it then holds no more than was left
/// before. A token that takes small amounts can therefore get about half of the limit. An inventory can get about three
/// quarters, however many tokens it has.
package final class Quota: Sendable {
  private enum Holder: Hashable {
    case token(TokenID)
    case inventory(InventoryID?)
  }

  private struct State {
    var used = 0
    var shares: [Holder: Int] = [:]
  }

  package let limit: Int
  private let state = Mutex(State())

  package init(_ limit: Int) { self.limit = limit }

  var inUse: Int { state.withLock(\.used) }

  /// Takes `amount`. False if less is left, or if the caller's share would be too large.
  ///
  /// - Parameter caller: without a token only the limit counts.
  func take(_ amount: Int = 1, for caller: Caller?) -> Bool {
    state.withLock { state in
      let left = limit - state.used
      guard amount <= left else { return false }
      if let caller, let token = caller.token {
        let own = state.shares[.token(token), default: 0] + amount
        let all = state.shares[.inventory(caller.inventory), default: 0] + amount
        guard own <= left, all <= 3 * left else { return false }
        state.shares[.token(token)] = own
        state.shares[.inventory(caller.inventory)] = all
      }
      state.used += amount
      return true
    }
  }

  /// Returns what was taken for the same caller.
  func give(_ amount: Int = 1, for caller: Caller?) {
    state.withLock { state in
      state.used -= amount
      guard let caller, let token = caller.token else { return }
      for holder in [Holder.token(token), .inventory(caller.inventory)] {
        guard let share = state.shares[holder] else { continue }
        state.shares[holder] = share == amount ? nil : share - amount
      }
    }
  }

  /// `total` divided by the amount in use; at least 1.
  func share(of total: Int) -> Int { max(1, total / max(1, inUse)) }
}
