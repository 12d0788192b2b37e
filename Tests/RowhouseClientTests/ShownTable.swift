import RowhouseClient

/// A table of rows that follows a mirror as a table view does: what a batch leaves alone, it keeps.
struct ShownTable {
  private(set) var rows: [Row] = []
  private(set) var batchCount = 0
  private(set) var isGone = false

  struct Misfit: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// - Throws: `Misfit` where the batch is none, or does not lead to the rows that come with it.
  mutating func take(_ update: ListUpdate) throws {
    switch update.change {
    case .all: rows = update.rows
    case .gone: isGone = true
    case .batch(let batch): try perform(batch, towards: update.rows)
    }
  }

  /// Shows rows that were read anew.
  mutating func show(_ rows: [Row]) { self.rows = rows }

  mutating func perform(_ batch: ListBatch, towards goal: [Row]) throws {
    let result = try rows(after: batch, towards: goal)
    guard result == goal else {
      throw Misfit("\(batch) makes \(result.map(\.title)) of \(rows.map(\.title))")
    }
    rows = result
    batchCount += 1
  }

  /// The cells of what comes or changes are asked for; all others are at hand.
  private func rows(after batch: ListBatch, towards goal: [Row]) throws -> [Row] {
    let before = batch.deletes + batch.moves.map(\.from) + batch.reloads
    let after = batch.inserts + batch.moves.map(\.to)
    guard Set(before).count == before.count, Set(after).count == after.count,
      before.allSatisfy(rows.indices.contains),
      (after + batch.reconfigures).allSatisfy(goal.indices.contains)
    else { throw Misfit("an index twice, or of no row: \(batch)") }
    var placed: [Int: Row] = [:]
    for index in batch.inserts { placed[index] = goal[index] }
    for move in batch.moves { placed[move.to] = rows[move.from] }
    let leaving = Set(batch.deletes + batch.moves.map(\.from))
    let reloaded = Set(batch.reloads.map { rows[$0].id })
    var staying = rows.indices.filter { !leaving.contains($0) }.map { rows[$0] }[...]
    var result: [Row] = []
    for index in 0..<staying.count + placed.count {
      guard var row = placed[index] ?? staying.popFirst() else {
        throw Misfit("a gap at \(index): \(batch)")
      }
      if reloaded.contains(row.id) || batch.reconfigures.contains(index) {
        guard index < goal.count else { throw Misfit("no row at \(index): \(batch)") }
        row = goal[index]
      }
      row.index = index
      result.append(row)
    }
    return result
  }
}
