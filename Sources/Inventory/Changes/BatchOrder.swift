/// Turns a batch's places into steps that are made one after another. Each placed row is a step, by
/// ascending index after the batch.
///
/// A row is settled if the batch does not move it, or has already moved it. Rows that wait to be moved still stand
/// between settled rows. So each waiting row is kept with the number of settled rows before it. At most
/// `Limits.operationsInBatch` rows wait, so each step looks at all of them.
package struct BatchOrder {
  /// The waiting rows in order, each with the number of settled rows before it.
  private var waiting: [(row: RowID, settled: Int)] = []

  /// - Parameter moved: the rows to move, and their indices once the deleted rows are gone.
  package init(moving moved: [(row: RowID, index: Int)]) {
    for (number, move) in moved.sorted(by: { $0.index < $1.index }).enumerated() {
      waiting.append((move.row, move.index - number))
    }
  }

  /// The index at which to insert a new row now, so that its index after the batch is `target`.
  package mutating func insert(at target: Int) -> Int {
    let index = place(target)
    settle(at: target)
    return index
  }

  /// The indices for moving a row now, so that its index after the batch is `target`. `to` counts after the removal.
  package mutating func move(_ row: RowID, to target: Int) -> (from: Int, to: Int)? {
    guard let number = waiting.firstIndex(where: { $0.row == row }) else { return nil }
    let from = waiting[number].settled + number
    waiting.remove(at: number)
    let index = place(target)
    settle(at: target)
    return (from, index)
  }

  /// The present index of a target. Rows that wait at that index end up behind it.
  private func place(_ target: Int) -> Int {
    target + waiting.count { $0.settled < target }
  }

  private mutating func settle(at target: Int) {
    for number in waiting.indices where waiting[number].settled >= target {
      waiting[number].settled += 1
    }
  }
}
