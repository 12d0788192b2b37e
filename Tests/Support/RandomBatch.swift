import Inventory

/// Makes up batches that mostly fit a list, some that nearly do, and a few that make no sense.
struct RandomBatch {
  private(set) var random: SplitMix64
  /// The list's rows as they are.
  let rows: [Int]

  init(_ random: SplitMix64, rows: [Int]) {
    self.random = random
    self.rows = rows
  }

  /// - Parameter new: what could be inserted.
  mutating func batch(
    inserting new: [(id: Int, new: NodeBatch.New)],
    updating edits: [(item: NodeItemEdit, list: NodeListEdit)]
  ) -> NodeBatch {
    var named = Array(rows.indices).shuffled(using: &random)
    let deleted = take(0...2, from: &named)
    let moved = take(0...4, from: &named)
    let countAfter = max(0, rows.count - deleted.count + new.count)
    var places = Array(0..<countAfter).shuffled(using: &random)
    var batch = NodeBatch(
      deletions: deleted.map { subject($0) },
      insertions: new.map { NodeBatch.Insertion(id: $0.id, at: place(&places), new: $0.new) },
      moves: moved.map { NodeBatch.Move(subject: subject($0), to: place(&places)) },
      updates: zip((moved + named).shuffled(using: &random), edits).map {
        NodeBatch.Update(id: rows[$0], item: $1.item, list: $1.list)
      },
      isRecursive: chance(2, of: 3))
    if chance(1, of: 5) { spoil(&batch) }
    return batch
  }

  private mutating func spoil(_ batch: inout NodeBatch) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: batch.deletions.append(.index(rows.count, expecting: nil))
    case 1:
      batch.deletions.append(
        .index(.random(in: -2...(rows.count + 2), using: &random), expecting: nil))
    case 2: batch.deletions += batch.moves.prefix(1).map(\.subject)
    case 3: batch.moves += batch.moves.prefix(1)
    case 4: batch.updates += batch.updates.prefix(1)
    case 5: batch.deletions += rows.prefix(1).map { .id($0) }
    case 6: batch.deletions.append(.id(.random(in: 0...60, using: &random)))
    default:
      batch.moves.append(
        .init(
          subject: .index(.random(in: 0...rows.count, using: &random), expecting: nil),
          to: .random(in: -1...(rows.count + 1), using: &random)))
    }
  }

  private mutating func subject(_ index: Int) -> NodeBatch.Subject {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: .index(index, expecting: rows.randomElement(using: &random))
    case 1..<5: .index(index, expecting: rows[index])
    case 5..<12: .id(rows[index])
    default: .index(index, expecting: nil)
    }
  }

  private mutating func place(_ places: inout [Int]) -> Int {
    chance(1, of: 60)
      ? Int.random(in: -1...(rows.count + 3), using: &random) : places.popLast() ?? 0
  }

  private mutating func take(_ count: ClosedRange<Int>, from indices: inout [Int]) -> [Int] {
    let taken = indices.prefix(Int.random(in: count, using: &random))
    indices.removeFirst(taken.count)
    return Array(taken)
  }

  private mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }
}
