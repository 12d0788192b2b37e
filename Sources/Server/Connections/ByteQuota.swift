import Synchronization

/// A memory quota in bytes, shared by the connections of all loops. If too few bytes are left for a connection, it
/// gets the bytes of others: those of the address that holds most, or the largest connection of its own address. If
/// these hold too few, it gets none.
final class ByteQuota: Sendable {
  /// A connection that holds bytes of the quota.
  struct Holder: Hashable, Sendable {
    let loop: Int
    let connection: UInt64
    /// The client's IPv4 address, or the first 64 bits of its IPv6 address. Clients behind one proxy share it.
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

    /// The connections that lose all their bytes so that `holder` gets `count` more; nil if that would free fewer than
    /// `missing` bytes.
    ///
    /// If another address holds more than the holder's address will hold, they are connections of the address that
    /// holds most, the largest first. Otherwise it is the largest connection of the holder's own address, if that
    /// holds more than `holder` will hold.
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

  /// Takes bytes for a connection, if necessary from other connections.
  ///
  /// - Returns: The connections that lost all their bytes, and must free this memory. Nil if nothing was taken, because
  ///   too few bytes can be had.
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

  /// The bytes that a connection holds. If it lost some, these are fewer than it has taken.
  func held(by holder: Holder) -> Int { state.withLock { $0.held[holder, default: 0] } }

  /// Returns bytes that a connection has taken. Bytes that it has lost are not returned again.
  func give(_ count: Int, of holder: Holder) {
    guard count > 0 else { return }
    state.withLock { $0.change(holder, by: -min(count, $0.held[holder, default: 0])) }
  }

  /// Counts bytes of a connection as used until `give(_:)` returns them. The connection can no longer lose them.
  func keep(_ count: Int, of holder: Holder) {
    guard count > 0 else { return }
    state.withLock { state in
      state.change(holder, by: -min(count, state.held[holder, default: 0]))
      state.used += count
    }
  }

  /// Returns bytes that were kept.
  func give(_ count: Int) {
    if count > 0 { state.withLock { $0.used -= count } }
  }
}
