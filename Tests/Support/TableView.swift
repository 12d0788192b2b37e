import Inventory

/// The rows that a front end shows, changed by batch updates as UIKit documents them.
///
/// `performBatchUpdates`: deletions, reloads and the sources of moves count in the rows before;
/// insertions and the targets of moves in the rows after.
package struct TableView: Sendable, Equatable {
  package private(set) var rows: [Row]

  package init(rows: [Row]) { self.rows = rows }

  /// A batch that a table view would throw an exception for, or that breaks a promise of `Delta`.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  /// Applies one batch, then reconfigures what `reloadsAfter` names.
  package mutating func perform(_ changes: Delta.Changes) throws(Fault) {
    try check(changes)
    let reloaded = changes.reloads.map { rows[$0.value].id }
    let moved = changes.moves.map { (row: rows[$0.from.value], to: $0.to.value) }

    let leaving = Set((changes.deletes + changes.moves.map(\.from)).map(\.value))
    var result = rows.indices.filter { !leaving.contains($0) }.map { rows[$0] }
    let arriving =
      changes.inserts.map { (row: $0, to: $0.index.value) } + moved
    for (row, index) in arriving.sorted(by: { $0.to < $1.to }) {
      guard index <= result.count else { throw Fault("A gap before the row at \(index).") }
      result.insert(row, at: index)
    }
    guard result.count == changes.countAfter else {
      throw Fault("\(result.count) rows after, and not \(changes.countAfter).")
    }

    for row in changes.reloadsAfter {
      let index = row.index.value
      guard result[index].id == row.id else {
        throw Fault("The row at \(index) is another than the one to be reloaded there.")
      }
      result[index] = row
    }
    let reconfigured = Set(changes.reloadsAfter.map(\.id))
    guard reconfigured.isSuperset(of: reloaded),
      reconfigured.isSubset(of: reloaded + moved.map(\.row.id))
    else { throw Fault("Not the rows of reloads and moves are in reloadsAfter.") }
    for index in result.indices { result[index].index = RowIndex(index) }
    rows = result
  }

  private func check(_ changes: Delta.Changes) throws(Fault) {
    func check(_ name: String, _ indices: [RowIndex], below count: Int) throws(Fault) {
      guard indices.allSatisfy({ (0..<count).contains($0.value) }) else {
        throw Fault("\(name): an index out of 0..<\(count) in \(indices).")
      }
      guard Set(indices).count == indices.count else {
        throw Fault("\(name): an index twice in \(indices).")
      }
    }
    guard changes.countBefore == rows.count else {
      throw Fault("\(rows.count) rows before, and not \(changes.countBefore).")
    }
    guard
      changes.countBefore - changes.deletes.count + changes.inserts.count == changes.countAfter
    else { throw Fault("The counts do not add up.") }
    try check(
      "before", changes.deletes + changes.moves.map(\.from) + changes.reloads,
      below: changes.countBefore)
    try check(
      "after", changes.inserts.map(\.index) + changes.moves.map(\.to), below: changes.countAfter)
    try check("reloadsAfter", changes.reloadsAfter.map(\.index), below: changes.countAfter)
    guard Set(changes.reloadsAfter.map(\.index)).isDisjoint(with: changes.inserts.map(\.index))
    else { throw Fault("A row is inserted and reloaded.") }
  }
}
