import Synchronization

/// Memory that the connections of all loops share, in bytes. Where too little is left, connections that hold much give
/// way to one that holds less.
final class ByteBudget: Sendable {
  /// A connection, as far as it can give up what it holds.
  struct Holder: Hashable, Sendable {
    let loop: Int
    let connection: UInt64
    /// The client's, of an IPv6 address its network. Clients behind one proxy have the same.
    let address: UInt64
  }

  private struct State {
    var used = 0
    var held: [Holder: Int] = [:]
    var heldByAddress: [UInt64: Int] = [:]

    mutating func change(_ holder: Holder, by count: Int) {
      used += count
      let own = held[holder, default: 0] + count
      held[holder] = own == 0 ? nil : own
      let all = heldByAddress[holder.address, default: 0] + count
      heldByAddress[holder.address] = all == 0 ? nil : all
    }

    /// The connections that give way so that one gets more bytes; nil where none hold more than it does.
    ///
    /// They are of the address that holds most. Where that is the one's own, it is a connection that holds more.
    func givingWay(to holder: Holder, _ count: Int, missing: Int) -> [Holder]? {
      let most = heldByAddress.max { $0.value < $1.value }
      let others: [Dictionary<Holder, Int>.Element]
      if let most, most.key != holder.address,
        most.value > heldByAddress[holder.address, default: 0] + count
      {
        others = held.filter { $0.key.address == most.key }.sorted { $0.value > $1.value }
      } else {
        let own = held[holder, default: 0] + count
        let largest = held.filter { $0.key.address == holder.address && $0.value > own }
          .max { $0.value < $1.value }
        others = largest.map { [$0] } ?? []
      }
      var missing = missing
      var givingWay: [Holder] = []
      for (other, held) in others where missing > 0 {
        givingWay.append(other)
        missing -= held
      }
      return missing > 0 ? nil : givingWay
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var inUse: Int { state.withLock { $0.used } }

  /// Takes bytes for a connection.
  ///
  /// - Returns: The connections that have lost theirs for it, and must give up what they hold; nil if there are too few
  ///   bytes left.
  func take(_ count: Int, for holder: Holder) -> [Holder]? {
    state.withLock { state in
      let missing = state.used + count - limit
      var givingWay: [Holder] = []
      if missing > 0 {
        guard let others = state.givingWay(to: holder, count, missing: missing) else { return nil }
        givingWay = others
      }
      for other in givingWay { state.change(other, by: -state.held[other, default: 0]) }
      state.change(holder, by: count)
      return givingWay
    }
  }

  /// The bytes of a connection; less than it has taken where it has lost them to another.
  func held(by holder: Holder) -> Int { state.withLock { $0.held[holder, default: 0] } }

  /// Gives back bytes that a connection has taken.
  func give(_ count: Int, of holder: Holder) {
    guard count > 0 else { return }
    state.withLock { $0.change(holder, by: -min(count, $0.held[holder, default: 0])) }
  }

  /// Has a connection keep its bytes until `give(_:)`: it cannot lose them any more.
  func keep(_ count: Int, of holder: Holder) {
    guard count > 0 else { return }
    state.withLock { state in
      state.change(holder, by: -min(count, state.held[holder, default: 0]))
      state.used += count
    }
  }

  /// Gives back bytes that were kept.
  func give(_ count: Int) {
    if count > 0 { state.withLock { $0.used -= count } }
  }
}
