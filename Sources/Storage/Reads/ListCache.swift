import Inventory

/// Caches the lists of one committed state, so that repeated reads run no SQL.
final class ListCache {
  private static let limit = 16

  /// The number of the committed state that the lists belong to.
  private var state: UInt64?
  /// Whether the open transaction has that state.
  private var isPresent = false
  private var entries: [(list: ListReference, caller: Caller, shown: VisibleList)] = []
  private var oldest = 0

  /// Switches to a committed state, and removes the lists of another one. With nil, for an unknown state, the lists
  /// stay but are not used.
  func turn(to state: UInt64?) {
    isPresent = state != nil
    guard let state, self.state != state else { return }
    self.state = state
    entries.removeAll(keepingCapacity: true)
    oldest = 0
  }

  func find(_ list: ListReference, for caller: Caller) -> VisibleList? {
    guard isPresent else { return nil }
    return entries.first { $0.list == list && $0.caller == caller }?.shown
  }

  func keep(_ shown: VisibleList, as list: ListReference, for caller: Caller) {
    guard isPresent else { return }
    if entries.count < Self.limit {
      entries.append((list, caller, shown))
    } else {
      entries[oldest] = (list, caller, shown)
      oldest = (oldest + 1) % Self.limit
    }
  }
}

/// A list that a caller may see: as stored in the tables, and as the caller sees it.
struct VisibleList {
  let record: ListRecord
  let list: List
}
