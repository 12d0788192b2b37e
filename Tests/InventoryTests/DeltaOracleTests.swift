import Inventory
import Support
import Testing

/// The judge of deltas is judged by faulty ones.
@Suite struct `The oracle of deltas` {
  static func row(_ number: Int, at index: Int, quantity: Int64 = 1) -> Row {
    var row = RecordedList.row(number, at: index)
    guard case .item(var item) = row.content else { return row }
    item.quantity = quantity
    row.content = .item(item)
    return row
  }

  /// The rows before are 0, 1, 2, 3; those after 9, 2, 0, 3, with 3 changed.
  static let before = (0..<4).map { row($0, at: $0) }
  static let after = [
    row(9, at: 0), row(2, at: 1), row(0, at: 2), row(3, at: 3, quantity: 2),
  ]

  static let right = Delta.Changes(
    permissions: .all, countBefore: 4, countAfter: 4, deletes: [1], inserts: [after[0]],
    moves: [Delta.Move(from: 0, to: 2)], reloads: [3], reloadsAfter: [after[3]])

  static func with(_ change: (inout Delta.Changes) -> Void) -> Delta.Changes {
    var changes = right
    change(&changes)
    return changes
  }

  static func fault(_ changes: Delta.Changes) -> String? {
    DeltaOracle(from: before, to: after, reloads: .thoseThatDiffer).fault(in: .changes(changes))
  }

  @Test(arguments: [
    right,
    // The other row may move as well.
    with { $0.moves = [Delta.Move(from: 2, to: 1)] },
    with { $0.deletes = [1] },
  ])
  func `lets a minimal delta pass`(changes: Delta.Changes) {
    #expect(Self.fault(changes) == nil)
  }

  @Test(arguments: [
    with { $0.countBefore = 5 }, with { $0.countAfter = 5 },
    with { $0.deletes = [] }, with { $0.deletes = [1, 1] }, with { $0.deletes = [2] },
    with { $0.deletes = [4] }, with { $0.deletes = [-1] },
    with { $0.inserts = [] }, with { $0.inserts = [row(8, at: 0)] },
    with { $0.inserts = [row(9, at: 2)] },
    with { $0.moves = [] }, with { $0.moves = [Delta.Move(from: 0, to: 1)] },
    with { $0.moves = [Delta.Move(from: 0, to: 0)] },
    with { $0.moves = [Delta.Move(from: 1, to: 2)] },
    with { $0.moves.append(Delta.Move(from: 2, to: 1)) },
    with { $0.reloads = [] }, with { $0.reloads = [0, 3] }, with { $0.reloads = [2, 3] },
    with { $0.reloadsAfter = [] }, with { $0.reloadsAfter = [row(3, at: 3)] },
    with { $0.reloadsAfter.append(after[2]) }, with { $0.reloadsAfter.append(after[0]) },
    with { $0.reloadsAfter = [row(3, at: 1, quantity: 2)] },
    // A row that stays is taken out and put in again.
    with {
      $0.moves = []
      $0.deletes = [0, 1]
      $0.inserts.append(after[2])
    },
    // A row that changed is moved nowhere and not reloaded before.
    with {
      $0.moves.append(Delta.Move(from: 3, to: 3))
      $0.reloads = []
    },
  ])
  func `finds what is wrong`(changes: Delta.Changes) {
    #expect(Self.fault(changes) != nil)
  }

  @Test func `lets rows be reloaded for nothing only over a longer span`() {
    var changes = Delta.Changes(
      permissions: .all, countBefore: 4, countAfter: 4, reloads: [2],
      reloadsAfter: [Self.before[2]])
    func fault(_ reloads: DeltaOracle.Reloads) -> String? {
      DeltaOracle(from: Self.before, to: Self.before, reloads: reloads)
        .fault(in: .changes(changes))
    }
    #expect(fault(.atLeastThoseThatDiffer) == nil)
    #expect(fault(.thoseThatDiffer) != nil)
    changes.reloadsAfter = [Self.row(2, at: 2, quantity: 5)]
    #expect(fault(.atLeastThoseThatDiffer) != nil)
  }
}
