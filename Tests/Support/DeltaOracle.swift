import Inventory

/// What a delta between two known orders of a list must be like.
///
/// Two minimal deltas may move different rows, so they are not compared with one another.
package struct DeltaOracle {
  /// Which rows, of those that stay, the delta must report as changed.
  package enum Reloads {
    /// Just these.
    case exactly(Set<RowID>)
    /// Those that differ now; for a single change.
    case thoseThatDiffer
    /// At least those that differ: within a longer span a row may have changed and changed back.
    case atLeastThoseThatDiffer
  }

  private let before: [Row]
  private let after: [Row]
  private let reloads: Reloads

  package init(from before: [Row], to after: [Row], reloads: Reloads) {
    self.before = before
    self.after = after
    self.reloads = reloads
  }

  /// What is wrong with the delta; nil if nothing is.
  package func fault(in content: Delta.Content) -> String? {
    switch content {
    case .resync, .absent: nil
    case .changes(let changes): fault(in: changes)
    }
  }

  private func fault(in changes: Delta.Changes) -> String? {
    var table = TableView(rows: before)
    do throws(TableView.Fault) {
      try table.perform(changes)
    } catch {
      return error.description
    }
    guard table.rows == after else { return "Applied, it does not give the rows after." }

    let idsBefore = Set(before.map(\.id))
    let idsAfter = Set(after.map(\.id))
    guard changes.deletes.map({ before[$0.value].id }).allSatisfy({ !idsAfter.contains($0) })
    else { return "It deletes a row that stays." }
    guard changes.inserts.allSatisfy({ !idsBefore.contains($0.id) }) else {
      return "It inserts a row that was there."
    }
    let needed = Self.movesNeeded(from: before.map(\.id), to: after.map(\.id))
    guard changes.moves.count == needed else {
      return "It moves \(changes.moves.count) rows where \(needed) are enough."
    }
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.content) })
    let differing = Set(
      after.filter { row in old[row.id].map { $0 != row.content } ?? false }.map(\.id))
    let reloaded = Set(changes.reloadsAfter.map(\.id))
    let isRight =
      switch reloads {
      case .exactly(let ids): reloaded == ids
      case .thoseThatDiffer: reloaded == differing
      case .atLeastThoseThatDiffer: reloaded.isSuperset(of: differing)
      }
    return isRight ? nil : "It does not reload the rows that changed."
  }

  /// How many of the rows that stay have to move at least.
  package static func movesNeeded(from before: [RowID], to after: [RowID]) -> Int {
    let place = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
    let kept = after.compactMap { place[$0] }
    return kept.count - PlainDelta.longestIncreasing(kept).count
  }
}
