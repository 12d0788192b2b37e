import Inventory
import Synchronization

/// A counter with a limit, shared by all loops. A token may take an amount only if it then holds no more than was left
/// before. A token that takes small amounts can therefore get about half of the limit. However many tokens it has, an
/// inventory can get about three quarters. Its list tokens together can get about two thirds, those of one list about
/// half. They leave at least one more to those who see the whole inventory.
package final class Quota: Sendable {
  private enum Holder: Hashable {
    case token(TokenID)
    /// All tokens of a list: one guest may have several.
    case list(ListID)
    /// All list tokens of an inventory.
    case lists(InventoryID?)
    case inventory(InventoryID?)

    /// The holders that a caller takes for. Empty without a token.
    static func all(of caller: Caller?) -> [Holder] {
      guard let caller, let token = caller.token else { return [] }
      let lists: [Holder] = caller.root.map { [.list($0), .lists(caller.inventory)] } ?? []
      return [.token(token), .inventory(caller.inventory)] + lists
    }

    /// How many times as much as is left it may hold.
    var factor: Int {
      switch self {
      case .token, .list: 1
      case .lists: 2
      case .inventory: 3
      }
    }
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
      let holders = Holder.all(of: caller)
      let fits = holders.allSatisfy { holder in
        state.shares[holder, default: 0] + amount <= holder.factor * left
      }
      guard fits else { return false }
      if let caller, caller.root != nil, state.used > 0 {
        let all = state.shares[.inventory(caller.inventory), default: 0] + amount
        guard all + amount <= 3 * (left - amount) else { return false }
      }
      for holder in holders { state.shares[holder, default: 0] += amount }
      state.used += amount
      return true
    }
  }

  /// Returns what was taken for the same caller.
  func give(_ amount: Int = 1, for caller: Caller?) {
    state.withLock { state in
      state.used -= amount
      for holder in Holder.all(of: caller) {
        guard let share = state.shares[holder] else { continue }
        state.shares[holder] = share == amount ? nil : share - amount
      }
    }
  }

  /// `total` divided by the amount in use; at least 1.
  func share(of total: Int) -> Int { max(1, total / max(1, inUse)) }
}
