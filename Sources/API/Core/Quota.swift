import Inventory
import Synchronization

/// A counter with a limit, shared by all loops. A token cannot take more if it would then hold more than was left
/// before. A token that takes small amounts can therefore get about half of the limit.
package final class Quota: Sendable {
  private struct State {
    var used = 0
    var shares: [TokenID: Int] = [:]
  }

  package let limit: Int
  private let state = Mutex(State())

  package init(_ limit: Int) { self.limit = limit }

  var inUse: Int { state.withLock(\.used) }

  /// Takes `amount`. False if less is left, or if the token would hold more than was left before.
  ///
  /// - Parameter token: nil for callers without a token, who have no share.
  func take(_ amount: Int = 1, for token: TokenID?) -> Bool {
    state.withLock { state in
      let left = limit - state.used
      let share = token.map { state.shares[$0, default: 0] + amount }
      guard max(amount, share ?? 0) <= left else { return false }
      state.used += amount
      if let token { state.shares[token] = share }
      return true
    }
  }

  /// Returns what was taken for the same token.
  func give(_ amount: Int = 1, for token: TokenID?) {
    state.withLock { state in
      state.used -= amount
      guard let token, let share = state.shares[token] else { return }
      state.shares[token] = share == amount ? nil : share - amount
    }
  }

  /// `total` divided by the amount in use; at least 1.
  func share(of total: Int) -> Int { max(1, total / max(1, inUse)) }
}
