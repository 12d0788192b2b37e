/// Composes the operations of a span of revisions into one batch of a table view.
///
/// The rows before are kept as runs of indices, which the operations split. So the time depends on
/// the number of operations, not on the length of the list. Only a reorder takes time for each row.
package struct DeltaComposer: Sendable {
  private let countBefore: Int
  private var pieces = Pieces()
  /// Removed rows with their index before, if they had one. A row that comes back is not an insert.
  private var takenOut: [RowID: Int] = [:]
  package private(set) var fields: ListFields = []

  package init(countBefore: Int) {
    self.countBefore = countBefore
    count = countBefore
    // A damaged log may name more rows than possible.
    isComposable = countBefore >= 0
    if countBefore > 0 { pieces.append(.kept(start: 0, count: countBefore, changed: nil)) }
  }

  /// Composing stops past this number of pieces.
  private static let maximumPieces = 8 * Delta.maximumEntries

  /// Whether the operations fit together and are few enough to compose.
  private var isComposable = true
  /// The number of rows after the operations so far.
  private var count: Int

  /// Applies the next operation of the span.
  package mutating func apply(_ operation: ListOperation) {
    guard isComposable, fits(operation) else {
      isComposable = false
      return
    }
    switch operation {
    case .insert(let row, let index):
      count += 1
      if let start = takenOut.removeValue(forKey: row) {
        // The row may have been edited while it was out of the list.
        pieces.insert(.kept(start: start, count: 1, changed: row), at: index)
      } else {
        pieces.insert(.added(row), at: index)
      }
    case .delete(let row, let index):
      count -= 1
      if case .kept(let start, _, _) = pieces.take(at: index) { takenOut[row] = start }
    case .move(_, let from, let to):
      let piece = pieces.take(at: from)
      pieces.insert(piece, at: to)
    case .reload(let row, let index):
      switch pieces.take(at: index) {
      case .kept(let start, let count, _):
        pieces.insert(.kept(start: start, count: count, changed: row), at: index)
      case let added: pieces.insert(added, at: index)
      }
    case .permute(let order): permute(order)
    case .fields(let changed):
      fields.formUnion(changed)
    }
    if pieces.count > Self.maximumPieces { isComposable = false }
  }

  /// Whether the operation's indices exist. A damaged log must make only this delta fail.
  private func fits(_ operation: ListOperation) -> Bool {
    switch operation {
    case .insert(_, let index): (0...count).contains(index)
    case .delete(_, let index), .reload(_, let index): (0..<count).contains(index)
    case .move(_, let from, let to):
      (0..<count).contains(from) && (0..<count).contains(to)
    case .permute(let order):
      order.count == count && order.isPermutation
    case .fields: true
    }
  }

  /// Reorders the rows, and joins rows that were next to each other before.
  private mutating func permute(_ order: [Int]) {
    let old = pieces.all
    /// The index of each piece's first row.
    var starts: [Int] = []
    var start = 0
    for piece in old {
      starts.append(start)
      start += piece.count
    }
    pieces.removeAll()
    var index = 0
    // Composing fails with more pieces.
    while index < order.count, pieces.count <= Self.maximumPieces {
      // Takes rows that stay next to each other as one run.
      var rows = order[index]..<(order[index] + 1)
      index += 1
      while index < order.count, order[index] == rows.upperBound {
        rows = rows.lowerBound..<(rows.upperBound + 1)
        index += 1
      }
      // The last piece that starts at or before the rows.
      var position = starts.partitioningIndex(where: { $0 > rows.lowerBound }) - 1
      while position < old.count, starts[position] < rows.upperBound {
        let (piece, start) = (old[position], starts[position])
        pieces.append(
          piece.part(
            (max(rows.lowerBound, start) - start)..<(min(rows.upperBound, start + piece.count)
              - start)))
        position += 1
      }
    }
  }
}

extension DeltaComposer {
  /// Whether the operations so far could be composed.
  package var isSound: Bool { isComposable }

  /// The number of chunks and pieces that were looked at.
  package var steps: Int { pieces.steps }

  /// The old index of the row now at `index`; nil for a new row.
  package func indexBefore(at index: Int) -> Int? {
    guard let (piece, offset) = pieces.find(index), case .kept(let start, _, _) = piece else {
      return nil
    }
    return start + offset
  }

  /// `count` rows that are still next to each other. The first had the old index `start` and has the new index `now`.
  struct KeptRows {
    var start: Int
    var count: Int
    /// The row, if it is a single one with new content.
    var changed: RowID?
    var now: Int
  }

  /// The kept rows, in their order before.
  var keptRows: [KeptRows] { keptRuns().sorted { $0.start < $1.start } }

  /// The new rows, with their present indices.
  var addedRows: [RowID: Int] {
    // A damaged log may add a row twice.
    Dictionary(added().map { ($0.row, $0.index) }) { _, last in last }
  }

  /// The new rows with their indices, in their present order.
  private func added() -> [(row: RowID, index: Int)] {
    placedPieces().compactMap { index, piece in
      if case .added(let row) = piece { (row, index) } else { nil }
    }
  }

  /// The kept rows, in their present order.
  private func keptRuns() -> [KeptRows] {
    placedPieces().compactMap { index, piece in
      guard case .kept(let start, let count, let changed) = piece else { return nil }
      return KeptRows(start: start, count: count, changed: changed, now: index)
    }
  }

  /// The pieces with the present indices of their first rows.
  private func placedPieces() -> [(index: Int, piece: Piece)] {
    var index = 0
    return pieces.all.map { piece in
      defer { index += piece.count }
      return (index, piece)
    }
  }
}

extension DeltaComposer {
  /// The batch without row contents: `inserted` are the rows at `inserts`, `reloaded` those at `reloadsAfter`.
  package struct Batch: Sendable, Equatable {
    package var countBefore = 0
    package var countAfter = 0
    package var deletes: [Int] = []
    package var inserts: [Int] = []
    package var moves: [Delta.Move] = []
    package var reloads: [Int] = []
    package var reloadsAfter: [Int] = []
    package var inserted: [RowID] = []
    package var reloaded: [RowID] = []

    package var entryCount: Int {
      deletes.count + inserts.count + moves.count + reloadsAfter.count
    }
  }

  /// The batch of the operations so far; nil if it has more than `Delta.maximumEntries`, or if the operations do not
  /// fit together.
  package func batch() -> Batch? {
    guard isComposable else { return nil }
    let kept = keptRuns()
    let isUnmoved = Self.heaviestIncreasing(kept)
    var batch = Batch()
    batch.countBefore = countBefore

    var isPresent: [Range<Int>] = []
    for (position, run) in kept.enumerated() {
      let rows = run.start..<(run.start + run.count)
      isPresent.append(rows)
      if !isUnmoved[position] {
        guard run.count <= Delta.maximumEntries else { return nil }
        for offset in 0..<run.count {
          batch.moves.append(
            Delta.Move(from: RowIndex(run.start + offset), to: RowIndex(run.now + offset)))
        }
      }
      if let row = run.changed {
        if isUnmoved[position] { batch.reloads.append(run.start) }
        batch.reloadsAfter.append(run.now)
        batch.reloaded.append(row)
      }
      guard batch.entryCount <= Delta.maximumEntries else { return nil }
    }
    var next = 0
    isPresent.append(countBefore..<countBefore)
    for rows in isPresent.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard batch.entryCount + rows.lowerBound - next <= Delta.maximumEntries else { return nil }
      batch.deletes += next..<rows.lowerBound
      next = rows.upperBound
    }
    let added = added()
    batch.inserts = added.map(\.index)
    batch.inserted = added.map(\.row)
    batch.countAfter = count
    batch.reloads.sort()
    return batch.entryCount <= Delta.maximumEntries ? batch : nil
  }

  /// Marks the runs of an increasing subsequence with the most rows. These need no move.
  ///
  /// A Fenwick tree over the starts holds the greatest weight of a subsequence that ends there.
  private static func heaviestIncreasing(_ runs: [KeptRows]) -> [Bool] {
    let rank = Dictionary(
      uniqueKeysWithValues: runs.map(\.start).sorted().enumerated().map { ($1, $0 + 1) })
    var best = [(weight: Int, run: Int)](repeating: (0, -1), count: runs.count + 1)
    var previous = [Int](repeating: -1, count: runs.count)
    var heaviest = (weight: 0, run: -1)
    for (position, run) in runs.enumerated() {
      let own = rank[run.start] ?? 1
      var before = (weight: 0, run: -1)
      var node = own - 1
      while node > 0 {
        if best[node].weight > before.weight { before = best[node] }
        node -= node & -node
      }
      previous[position] = before.run
      let weight = before.weight + run.count
      if weight > heaviest.weight { heaviest = (weight, position) }
      node = own
      while node < best.count {
        if weight > best[node].weight { best[node] = (weight, position) }
        node += node & -node
      }
    }
    var isMarked = [Bool](repeating: false, count: runs.count)
    var run = heaviest.run
    while run >= 0 {
      isMarked[run] = true
      run = previous[run]
    }
    return isMarked
  }
}

extension Array {
  /// The index of the first element that fulfils a condition, which all elements behind it fulfil too; the count if
  /// none does. Takes O(log n).
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
