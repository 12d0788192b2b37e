/// Turns a batch's places into steps that can be made one after another: each row that is to be
/// placed in turn, by ascending index after.
///
/// The rows that wait to be moved still stand among the others. So each is kept with the number of
/// settled rows before it, settled being those that are not moved or have been. At most
/// `Limits.operationsInBatch` wait, so each step looks at all of them.
package struct BatchOrder {
  /// In the order in which they stand; `settled` rows come before each.
  private var waiting: [(row: RowID, settled: Int)] = []

  /// - Parameter moved: the rows to be moved and their indices once the deleted ones have gone.
  package init(moving moved: [(row: RowID, index: Int)]) {
    for (number, move) in moved.sorted(by: { $0.index < $1.index }).enumerated() {
      waiting.append((move.row, move.index - number))
    }
  }

  /// Where a new row goes that is to come to `target`, as things stand just now.
  package mutating func insert(at target: Int) -> Int {
    let index = place(target)
    settle(at: target)
    return index
  }

  /// From where to where a row goes that is to come to `target`, `to` counted after the taking out.
  package mutating func move(_ row: RowID, to target: Int) -> (from: Int, to: Int)? {
    guard let number = waiting.firstIndex(where: { $0.row == row }) else { return nil }
    let from = waiting[number].settled + number
    waiting.remove(at: number)
    let index = place(target)
    settle(at: target)
    return (from, index)
  }

  /// Settled rows are counted; those that wait at the very place come to stand behind it.
  private func place(_ target: Int) -> Int {
    target + waiting.count { $0.settled < target }
  }

  private mutating func settle(at target: Int) {
    for number in waiting.indices where waiting[number].settled >= target {
      waiting[number].settled += 1
    }
  }
}
