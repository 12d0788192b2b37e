import Support
import Testing

@testable import Inventory

@Suite struct `Composed deltas` {
  @Test(arguments: 0..<400)
  func `turn the rows before into those after with the fewest moves`(seed: UInt64) throws {
    let size = Int(seed % 40)
    var list = RecordedList(count: size, seed: seed)
    list.operate(times: 1 + Int(seed / 8) % 50)

    var composer = DeltaComposer(countBefore: size)
    for operation in list.operations { composer.apply(operation) }
    let batch = try #require(composer.batch())
    let fault = DeltaOracle(
      from: list.before, to: list.rows, reloads: .exactly(list.reloaded)
    ).fault(in: .changes(batch.changes(rows: list.rows)))
    #expect(fault == nil, "seed \(seed): \(list.operations)")
  }

  @Test(arguments: 0..<300)
  func `leave as many rows unmoved as trying every choice can`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let order = Array(0..<Int.random(in: 0...9, using: &random)).shuffled(using: &random)
    var composer = DeltaComposer(countBefore: order.count)
    composer.apply(.permute(order: order))
    let unmoved = (0..<(1 << order.count)).compactMap { choice -> Int? in
      let chosen = order.indices.filter { choice >> $0 & 1 == 1 }.map { order[$0] }
      return chosen == chosen.sorted() ? chosen.count : nil
    }
    #expect(composer.batch()?.moves.count == order.count - (unmoved.max() ?? 0))
    #expect(PlainDelta.longestIncreasing(order).count == unmoved.max())
  }

  @Test func `of thousands of drags do not look at all runs for each of them`() {
    var random = SplitMix64(seed: 1)
    var composer = DeltaComposer(countBefore: 21_000)
    for _ in 0..<5_200 {
      let row = Int.random(in: 0..<21_000, using: &random)
      composer.apply(
        .move(Self.id(row), from: row, to: Int.random(in: 0..<21_000, using: &random)))
    }
    #expect(composer.isSound)
    // There are up to 15,000 runs; a search for each place would look at half of them.
    #expect(composer.steps < 5_200 * 2 * 300)
  }

  @Test(arguments: 0..<4)
  func `turn long lists of rows into others after hundreds of operations`(seed: UInt64) throws {
    var list = RecordedList(count: 600, seed: seed)
    list.operate(times: 500)
    var composer = DeltaComposer(countBefore: 600)
    for operation in list.operations { composer.apply(operation) }
    let batch = try #require(composer.batch())
    let fault = DeltaOracle(
      from: list.before, to: list.rows, reloads: .exactly(list.reloaded)
    ).fault(in: .changes(batch.changes(rows: list.rows)))
    #expect(fault == nil, "seed \(seed)")
  }

  @Test func `of one drag are one move, in a list of any length`() {
    var composer = DeltaComposer(countBefore: 1_000_000_000)
    composer.apply(.move(Self.id(1), from: 3, to: 900_000_000))
    var expected = DeltaComposer.Batch()
    expected.countBefore = 1_000_000_000
    expected.countAfter = 1_000_000_000
    expected.moves = [Delta.Move(from: 3, to: 900_000_000)]
    #expect(composer.batch() == expected)
  }

  @Test func `of a run dragged row by row move the run, or what it was dragged past`() {
    var composer = DeltaComposer(countBefore: 10)
    for _ in 0..<7 { composer.apply(.move(Self.id(1), from: 0, to: 9)) }
    #expect(composer.batch()?.moves.count == 3)
  }

  @Test func `leave out what was inserted and deleted again`() {
    var composer = DeltaComposer(countBefore: 2)
    composer.apply(.insert(Self.id(7), at: 1))
    composer.apply(.reload(Self.id(7), at: 1))
    composer.apply(.move(Self.id(7), from: 1, to: 0))
    composer.apply(.delete(Self.id(7), at: 0))
    #expect(composer.batch() == Self.batch(before: 2, after: 2))
  }

  @Test func `reload a row that was deleted and came back, and do not insert it`() {
    var composer = DeltaComposer(countBefore: 3)
    composer.apply(.delete(Self.id(1), at: 1))
    composer.apply(.insert(Self.id(1), at: 1))
    var expected = Self.batch(before: 3, after: 3)
    expected.reloads = [1]
    expected.reloadsAfter = [1]
    expected.reloaded = [Self.id(1)]
    #expect(composer.batch() == expected)
  }

  @Test func `name a row that moved and changed in moves and in reloadsAfter only`() {
    var composer = DeltaComposer(countBefore: 3)
    composer.apply(.reload(Self.id(0), at: 0))
    composer.apply(.move(Self.id(0), from: 0, to: 2))
    var expected = Self.batch(before: 3, after: 3)
    expected.moves = [Delta.Move(from: 0, to: 2)]
    expected.reloadsAfter = [2]
    expected.reloaded = [Self.id(0)]
    #expect(composer.batch() == expected)
  }

  @Test func `insert a row once that was inserted and then reloaded`() {
    var composer = DeltaComposer(countBefore: 0)
    composer.apply(.insert(Self.id(1), at: 0))
    composer.apply(.reload(Self.id(1), at: 0))
    var expected = Self.batch(before: 0, after: 1)
    expected.inserts = [0]
    expected.inserted = [Self.id(1)]
    #expect(composer.batch() == expected)
  }

  @Test func `gather the fields of all changes`() {
    var composer = DeltaComposer(countBefore: 1)
    composer.apply(.fields(.title))
    composer.apply(.fields([.title, .sentinel]))
    #expect(composer.fields == [.title, .sentinel])
    #expect(composer.batch() == Self.batch(before: 1, after: 1))
  }

  @Test(arguments: [2_000: true, 2_001: false])
  func `have at most two thousand entries`(count: Int, isPresent: Bool) {
    var inserting = DeltaComposer(countBefore: 0)
    var deleting = DeltaComposer(countBefore: 10_000)
    var reloading = DeltaComposer(countBefore: count)
    for index in 0..<count {
      inserting.apply(.insert(Self.id(index), at: index))
      deleting.apply(.delete(Self.id(index), at: 0))
      reloading.apply(.reload(Self.id(index), at: index))
    }
    // Reversed, all rows but one move.
    var moving = DeltaComposer(countBefore: count + 1)
    moving.apply(.permute(order: (0...count).reversed()))
    for composer in [inserting, deleting, reloading, moving] {
      #expect((composer.batch() != nil) == isPresent)
    }
  }

  private static func id(_ number: Int) -> RowID { RecordedList.row(number, at: 0).id }

  private static func batch(before: Int, after: Int) -> DeltaComposer.Batch {
    var batch = DeltaComposer.Batch()
    batch.countBefore = before
    batch.countAfter = after
    return batch
  }
}

extension DeltaComposer.Batch {
  /// With the rows as they are after the batch.
  fileprivate func changes(rows: [Row]) -> Delta.Changes {
    Delta.Changes(
      permissions: .all, countBefore: countBefore, countAfter: countAfter,
      deletes: deletes.map { RowIndex($0) }, inserts: inserts.map { rows[$0] }, moves: moves,
      reloads: reloads.map { RowIndex($0) }, reloadsAfter: reloadsAfter.map { rows[$0] })
  }
}
