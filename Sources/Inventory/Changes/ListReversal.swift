/// The reversal of one change of a list's order, computed from operations alone. The time depends on their number, not
/// on the length of the list. Only a reorder takes time for each row.
///
/// Rows that the change moved or removed return in the order that they had. Each goes right behind its nearest old
/// predecessor that is in the list now, or is returned already. Without one it goes before its nearest old successor,
/// and without that to its old index. If nothing happened in between, this is exactly the old order.
///
/// Example: the old order is A B C D. The change moves B to the end, and a later change moves D to the start. The
/// present order is D A C B. Then B returns right behind A, which is at the present index 1: `.behindIndex(1)`. The
/// result is D A B C.
package struct ListReversal: Sendable, Equatable {
  package enum Place: Sendable, Equatable {
    /// Right behind a row that has returned before this one.
    case behindReturn(RowID)
    /// Right behind the row that is at this index now, before any row returns.
    case behindIndex(Int)
    case first
    /// At an index, or at the end of a shorter list. The rows that are still to return are not counted.
    case at(Int)
  }

  package struct Return: Sendable, Equatable {
    package var row: RowID
    package var place: Place
    /// Whether the change left the row in the list and only moved it.
    package var isHere: Bool
    /// Whether the row needs no move: it is in its place once the rows before it have returned.
    package var isSettled = false
  }

  /// The rows that return, in their order before the change.
  package private(set) var returns: [Return] = []
  /// The rows that the change added to the list.
  package private(set) var arrivals: [RowID] = []
  /// The order that reverses a reorder: index i gets the row now at `order[i]`.
  package private(set) var order: [Int]?
  /// The moved or added rows that are still where the change left them: the same rows come before them as right after
  /// the change. Rows that have come or gone since do not count.
  package private(set) var inPlace: Set<RowID> = []
  /// Whether the list has again the order that the change left.
  package private(set) var isOrderKept = false
  /// False if the operations are impossible, which means that the log is damaged.
  package private(set) var isSound = true

  /// - Parameters:
  ///   - change: its operations on the list, in order.
  ///   - later: the operations of all later changes; nil if they are too many. Then rows return to
  ///     their old indices, and none is known to be in place.
  ///   - count: the present number of rows.
  ///   - findsPlaces: whether to compute `inPlace` and `isOrderKept`.
  package init(
    undoing change: [ListOperation], followedBy later: [ListOperation]?, count: Int,
    findsPlaces: Bool = true
  ) {
    let countAfter = later.map { count - Self.growth($0) }
    if let countAfter, countAfter < 0 || countAfter < Self.growth(change) {
      isSound = false
      return
    }
    for case .permute(let order) in change where !order.isPermutation {
      isSound = false
      return
    }
    if findsPlaces, let later, let countAfter {
      findPlaces(after: change, later, countAfter: countAfter)
    }
    let isOrdinary = change.contains { operation in
      switch operation {
      case .delete, .move: true
      case .insert, .reload, .permute, .fields: false
      }
    }
    guard isOrdinary else {
      // Usually no row left its place. Then nothing needs composing, however many rows were added.
      for operation in change {
        switch operation {
        case .insert(let row, _): arrivals.append(row)
        case .permute(let order): self.order = Self.inverse(order)
        case .delete, .move, .reload, .fields: break
        }
      }
      return
    }
    var past = Past(count: countAfter.map { $0 - Self.growth(change) } ?? Int.max >> 2)
    for operation in change { past.take(operation) }
    arrivals = past.arrivals
    let leavers = past.leavers
    if let later { for operation in later { past.composer.apply(operation) } }
    guard later != nil, past.composer.isSound else {
      returns = leavers.map { Return(row: $0.row, place: .at($0.index), isHere: $0.isHere) }
      return
    }
    var present = Present(past.composer, without: arrivals, count: count)
    returns = present.returns(of: leavers)
  }

  private static func growth(_ operations: [ListOperation]) -> Int {
    operations.reduce(0) { growth, operation in
      switch operation {
      case .insert: growth + 1
      case .delete: growth - 1
      case .move, .reload, .permute, .fields: growth
      }
    }
  }

  private static func inverse(_ order: [Int]) -> [Int] {
    var inverse = order
    for (place, old) in order.enumerated() { inverse[old] = place }
    return inverse
  }
}

extension ListReversal {
  private mutating func findPlaces(
    after change: [ListOperation], _ later: [ListOperation], countAfter: Int
  ) {
    guard !later.isEmpty else {
      isOrderKept = true
      for operation in change {
        switch operation {
        case .insert(let row, _), .move(let row, _, _): inPlace.insert(row)
        case .delete, .reload, .permute, .fields: break
        }
      }
      return
    }
    var composer = DeltaComposer(countBefore: countAfter)
    for operation in later { composer.apply(operation) }
    guard composer.isSound else { return }
    let kept = composer.keptRows
    isOrderKept =
      composer.addedRows.isEmpty && kept.allSatisfy { $0.start == $0.now }
      && kept.reduce(0) { $0 + $1.count } == countAfter
    // The lowest present index of the runs after each run.
    var lowest = [Int](repeating: .max, count: kept.count + 1)
    for number in kept.indices.reversed() {
      lowest[number] = min(lowest[number + 1], kept[number].now)
    }
    var number = 0
    var highest = -1
    for (index, row) in Self.indices(after: change, count: countAfter) {
      while number < kept.count, kept[number].start + kept[number].count <= index {
        highest = max(highest, kept[number].now)
        number += 1
      }
      guard number < kept.count, kept[number].start <= index else { continue }
      let now = kept[number].now
      if highest < now, now < lowest[number + 1] { inPlace.insert(row) }
    }
  }

  /// The rows that a change moved or added, with their indices right after it, in order.
  private static func indices(
    after change: [ListOperation], count: Int
  ) -> [(index: Int, row: RowID)] {
    // Rows that are added in ascending order, however many, need no composing.
    var appended: [(index: Int, row: RowID)] = []
    for operation in change {
      guard case .insert(let row, let index) = operation, index > appended.last?.index ?? -1 else {
        return composedIndices(after: change, count: count)
      }
      appended.append((index, row))
    }
    return appended
  }

  private static func composedIndices(
    after change: [ListOperation], count: Int
  ) -> [(index: Int, row: RowID)] {
    var rows: [(index: Int, row: RowID)] = []
    var past = Past(count: count - growth(change))
    for operation in change { past.take(operation) }
    let kept = past.composer.keptRows
    let added = past.composer.addedRows
    for row in past.arrivals { if let index = added[row] { rows.append((index, row)) } }
    for leaver in past.leavers where leaver.isHere {
      let run = kept.last { $0.start <= leaver.index }
      if let run { rows.append((run.now + leaver.index - run.start, leaver.row)) }
    }
    return rows.sorted { $0.index < $1.index }
  }

  /// The rows that a change names in a list, and whether each is in it before and after the change.
  package static func rows(of change: [ListOperation]) -> [RowID: (wasHere: Bool, isHere: Bool)] {
    var rows: [RowID: (wasHere: Bool, isHere: Bool)] = [:]
    for operation in change {
      switch operation {
      case .insert(let row, _): rows[row, default: (false, true)].isHere = true
      case .delete(let row, _): rows[row, default: (true, false)].isHere = false
      case .move(let row, _, _): rows[row, default: (true, true)].isHere = true
      case .reload, .permute, .fields: break
      }
    }
    return rows
  }
}

/// The steps of successive changes, without the pairs in which a step takes back the previous one.
///
/// So a stack of changes that have all been undone has no steps, however high it was.
package struct OrderSteps: Sendable {
  package private(set) var steps: [ListOperation] = []
  /// The number of places in all remaining reorders.
  package private(set) var placeCount = 0

  package init() {}

  /// Adds the next step. Ignores steps that change no order.
  package mutating func append(_ operation: ListOperation) {
    switch operation {
    case .reload, .fields: return
    case .insert, .delete, .move, .permute: break
    }
    if let last = steps.last, operation.takesBack(last) {
      steps.removeLast()
      if case .permute(let order) = last { placeCount -= order.count }
    } else {
      steps.append(operation)
      if case .permute(let order) = operation { placeCount += order.count }
    }
  }
}

extension ListOperation {
  fileprivate func takesBack(_ other: ListOperation) -> Bool {
    switch (self, other) {
    case (.insert(let row, let index), .delete(let old, let place)),
      (.delete(let row, let index), .insert(let old, let place)):
      row == old && index == place
    case (.move(let row, let from, let to), .move(let old, let start, let end)):
      row == old && from == end && to == start
    case (.permute(let order), .permute(let old)):
      order.count == old.count && old.isPermutation
        && order.indices.allSatisfy { old.indices.contains(order[$0]) && old[order[$0]] == $0 }
    default: false
    }
  }
}

extension [Int] {
  /// Whether each index of the array is in it once.
  package var isPermutation: Bool {
    var isThere = [Bool](repeating: false, count: count)
    for place in self {
      guard indices.contains(place), !isThere[place] else { return false }
      isThere[place] = true
    }
    return true
  }
}

extension ListReversal {
  /// A row that the change moved or removed.
  private struct Leaver {
    var row: RowID
    /// Its index before the change.
    var index: Int
    var isHere: Bool
  }

  /// Finds the rows that the change named, with their indices before.
  private struct Past {
    var composer: DeltaComposer
    private var index: [RowID: Int] = [:]
    private var isHere: [RowID: Bool] = [:]
    private var named: [RowID] = []

    init(count: Int) { composer = DeltaComposer(countBefore: count) }

    mutating func take(_ operation: ListOperation) {
      switch operation {
      case .insert(let row, _): note(row, isHere: true, before: nil)
      case .delete(let row, let place):
        note(row, isHere: false, before: composer.indexBefore(at: place))
      case .move(let row, let place, _):
        note(row, isHere: true, before: composer.indexBefore(at: place))
      case .reload, .permute, .fields: break
      }
      composer.apply(operation)
    }

    private mutating func note(_ row: RowID, isHere: Bool, before: Int?) {
      if self.isHere.updateValue(isHere, forKey: row) == nil {
        named.append(row)
        index[row] = before
      }
    }

    var arrivals: [RowID] { named.filter { index[$0] == nil && isHere[$0] == true } }

    var leavers: [Leaver] {
      named.compactMap { row in
        index[row].map { Leaver(row: row, index: $0, isHere: isHere[row] == true) }
      }.sorted { $0.index < $1.index }
    }
  }

  /// The present rows. Rows that stay are solid. Between solid rows are gaps, into which the other rows return. A gap's
  /// number is the number of solid rows before it.
  private struct Present {
    private let kept: [DeltaComposer.KeptRows]
    private let count: Int
    private let added: [RowID: Int]
    private let arrivals: [RowID]
    /// The indices of the rows that leave or return, in order.
    private var loose: [Int] = []

    init(_ composer: DeltaComposer, without arrivals: [RowID], count: Int) {
      kept = composer.keptRows
      added = composer.addedRows
      self.arrivals = arrivals
      self.count = count
    }

    /// The present index of the row with an old index; nil if it is gone.
    private func now(_ index: Int) -> Int? {
      let behind = kept.partitioningIndex(where: { $0.start > index })
      guard behind > 0 else { return nil }
      let run = kept[behind - 1]
      return index < run.start + run.count ? run.now + index - run.start : nil
    }

    private func gap(before index: Int) -> Int {
      index - loose.partitioningIndex(where: { $0 >= index })
    }

    /// The place at the start of a gap.
    private func start(of gap: Int) -> Place {
      guard gap > 0 else { return .first }
      var index = gap - 1
      for taken in loose where taken <= index { index += 1 }
      return .behindIndex(index)
    }

    mutating func returns(of leavers: [Leaver]) -> [Return] {
      loose = leavers.compactMap { $0.isHere ? now($0.index) : nil }
      loose += arrivals.compactMap { added[$0] }
      loose.sort()
      var returns: [Return] = []
      var run = 0
      // The gap of the previous row, and the present index of the last settled row in it.
      var gap = 0
      var lastSettled = -1
      // The gap of the first leaver, if no row is before it, and the leaver's present index, or -1 if it is not
      // settled.
      var front: (gap: Int, settled: Int)?
      // A row from this present index on is not settled.
      var limit = Int.max
      for (number, leaver) in leavers.enumerated() {
        while run < kept.count, kept[run].start < leaver.index { run += 1 }
        // The last old index before this row whose row is in the list. That row may be one that
        // returns before this one.
        let last = run > 0 ? min(kept[run - 1].start + kept[run - 1].count, leaver.index) - 1 : -1
        let place: Place
        if number > 0, leavers[number - 1].index >= last {
          place = .behindReturn(leavers[number - 1].row)
        } else {
          lastSettled = -1
          if last >= 0 {
            let index = kept[run - 1].now + last - kept[run - 1].start
            gap = self.gap(before: index) + 1
            place = .behindIndex(index)
            // These rows belong before the first ones. A row that is behind those has to move.
            if let front, front.gap == gap { limit = front.settled } else { limit = .max }
          } else {
            gap = successor(of: leaver, leavers) ?? min(leaver.index, count - loose.count)
            place = start(of: gap)
          }
        }
        var isSettled = false
        if leaver.isHere, let index = now(leaver.index), self.gap(before: index) == gap,
          index > lastSettled, index < limit
        {
          isSettled = true
          lastSettled = index
        }
        if number == 0, last < 0 { front = (gap, lastSettled) }
        returns.append(
          Return(row: leaver.row, place: place, isHere: leaver.isHere, isSettled: isSettled))
      }
      return returns
    }

    /// The gap before the nearest solid row behind the first leaver.
    private func successor(of first: Leaver, _ leavers: [Leaver]) -> Int? {
      let leaving = Set(leavers.map(\.index))
      for run in kept {
        for index in run.start..<(run.start + run.count)
        where index > first.index && !leaving.contains(index) {
          return gap(before: run.now + index - run.start)
        }
      }
      return nil
    }
  }
}
