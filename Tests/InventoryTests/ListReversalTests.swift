import FoundationEssentials
import Support
import Testing

@testable import Inventory

@Suite struct `The reversal of a list's order` {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `is the order before where nothing came in between`(seed: UInt64) {
    var list = PlainOrder(count: Int(seed % 23), seed: seed)
    let before = list.rows
    list.operate(times: Int(seed % 11), permutes: false)
    let reversal = ListReversal(
      undoing: list.operations, followedBy: [], count: list.rows.count)
    #expect(Self.carriedOut(reversal, on: list.rows) == before, "seed \(seed)")
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `puts rows beside their old neighbours after other changes`(start: UInt64) {
    for seed in start * 10..<start * 10 + 10 {
      var list = PlainOrder(count: Int(seed % 23), seed: seed)
      let before = list.rows
      list.operate(times: 1 + Int(seed % 6), permutes: false)
      let (change, after) = (list.operations, list.rows)
      list.operate(times: Int(seed % 9), permutes: true)
      let later = Array(list.operations.dropFirst(change.count))
      let reversal = ListReversal(undoing: change, followedBy: later, count: list.rows.count)
      for row in Set(reversal.arrivals + reversal.returns.filter(\.isHere).map(\.row)) {
        #expect(
          reversal.inPlace.contains(row) == Self.isInPlace(row, after, list.rows), "seed \(seed)")
      }
      // What has been moved or deleted again is another's business: such an undo is refused.
      guard reversal.returns.allSatisfy({ list.rows.contains($0.row) == $0.isHere }),
        Set(reversal.arrivals) == Set(after).subtracting(before),
        reversal.arrivals.allSatisfy(list.rows.contains)
      else { continue }
      #expect(
        Self.carriedOut(reversal, on: list.rows)
          == Self.putBack(reversal, before: before, now: list.rows), "seed \(seed)")
    }
  }

  /// The first row has no predecessor. Its successor now comes after the predecessor of the last row.
  @Test(arguments: [[2, 0, 1, 3], [2, 0, 3, 1], [2, 3, 0, 1]])
  func `puts a row behind its predecessor, also where one went before its successor`(order: [Int]) {
    let rows = PlainOrder(count: 4, seed: 1).rows
    let moved: [ListOperation] = [.move(rows[0], from: 0, to: 3), .move(rows[3], from: 2, to: 0)]
    let deleted: [ListOperation] = [.delete(rows[0], at: 0), .move(rows[3], from: 2, to: 0)]
    for (change, after) in [(moved, [3, 1, 2, 0]), (deleted, [3, 1, 2])] {
      let order = order.filter { $0 < after.count }
      let now = order.map { rows[after[$0]] }
      let reversal = ListReversal(
        undoing: change, followedBy: [.permute(order: order)], count: now.count)
      #expect(Self.carriedOut(reversal, on: now) == [rows[2], rows[3], rows[0], rows[1]])
    }
  }

  @Test func `falls back to old indices where too much came in between`() {
    let rows = PlainOrder(count: 6, seed: 1).rows
    let change: [ListOperation] = [.delete(rows[1], at: 1), .move(rows[4], from: 3, to: 0)]
    let reversal = ListReversal(undoing: change, followedBy: nil, count: 5)
    #expect(
      reversal.returns == [
        .init(row: rows[1], place: .at(1), isHere: false),
        .init(row: rows[4], place: .at(4), isHere: true),
      ])
    #expect(
      Self.carriedOut(reversal, on: [rows[4], rows[0], rows[2], rows[3], rows[5]]) == rows)
  }

  @Test func `turns a new order round`() {
    let reversal = ListReversal(
      undoing: [.permute(order: [2, 0, 3, 1])], followedBy: [], count: 4)
    #expect(reversal.order == [1, 3, 0, 2])
    #expect(reversal.returns.isEmpty && reversal.arrivals.isEmpty)
  }

  @Test func `finds added rows without the later changes, however many they are`() {
    let rows = (0..<10_000).map { _ in RowID(.version7()) }
    let change = rows.enumerated().map { ListOperation.insert($1, at: $0) }
    let reversal = ListReversal(undoing: change, followedBy: nil, count: 10_000)
    #expect(reversal.arrivals == rows)
    #expect(reversal.returns.isEmpty)
  }

  @Test func `leaves out what came and went`() {
    let row = RowID(.version7())
    let reversal = ListReversal(
      undoing: [.insert(row, at: 2), .move(row, from: 2, to: 0), .delete(row, at: 0)],
      followedBy: [], count: 4)
    #expect(reversal.arrivals.isEmpty && reversal.returns.isEmpty)
  }

  @Test func `does not move rows that are at their target`() {
    let rows = PlainOrder(count: 5, seed: 1).rows
    // Both rows were moved down by one, and those that they passed followed meanwhile.
    let reversal = ListReversal(
      undoing: [.move(rows[0], from: 0, to: 1), .move(rows[3], from: 3, to: 4)],
      followedBy: [.move(rows[1], from: 0, to: 1), .move(rows[4], from: 3, to: 4)], count: 5)
    #expect(reversal.returns.map(\.isSettled) == [true, true])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `knows an order that has come back, however much was done and undone`(seed: UInt64) {
    var list = PlainOrder(count: 9, seed: seed)
    let before = list.rows
    list.operate(times: 40, permutes: true)
    var steps = OrderSteps()
    for operation in list.operations { steps.append(operation) }
    let isKept = ListReversal(undoing: [], followedBy: steps.steps, count: list.rows.count)
      .isOrderKept
    #expect(isKept == (list.rows == before))
    for operation in list.operations.reversed() {
      switch operation {
      case .insert(let row, let index): steps.append(.delete(row, at: index))
      case .delete(let row, let index): steps.append(.insert(row, at: index))
      case .move(let row, let from, let to): steps.append(.move(row, from: to, to: from))
      case .permute(let order):
        steps.append(.permute(order: order.indices.map { order.firstIndex(of: $0) ?? 0 }))
      case .reload, .fields: break
      }
    }
    #expect(steps.steps == [])
    #expect(steps.placeCount == 0)
  }

  @Test(arguments: [[0, 0, 1], [1, 2, 3], [-1, 0, 1]])
  func `does not take a damaged order for one`(order: [Int]) {
    let reversal = ListReversal(undoing: [.permute(order: order)], followedBy: [], count: 3)
    #expect(!reversal.isSound)
  }

  private static func isInPlace(_ row: RowID, _ after: [RowID], _ now: [RowID]) -> Bool {
    guard now.contains(row) else { return false }
    func before(_ rows: [RowID], _ others: [RowID]) -> Set<RowID> {
      Set(rows.prefix { $0 != row }).intersection(others)
    }
    return before(after, now) == before(now, after)
  }

  /// Rows that were taken out are at hand; those that came go.
  private static func carriedOut(_ reversal: ListReversal, on now: [RowID]) -> [RowID] {
    var rows = now.filter { !reversal.arrivals.contains($0) }
    var unsettled = reversal.returns.map(\.row)
    for row in reversal.returns {
      if row.isSettled {
        unsettled.removeFirst()
        continue
      }
      var others = rows.filter { $0 != row.row }
      let place: Int
      switch row.place {
      case .behindReturn(let other): place = (others.firstIndex(of: other) ?? -9) + 1
      case .behindIndex(let index): place = (others.firstIndex(of: now[index]) ?? -9) + 1
      case .first: place = 0
      case .at(let index):
        let settled = others.filter { !unsettled.contains($0) }
        place =
          index < settled.count ? others.firstIndex(of: settled[index]) ?? -9 : others.count
      }
      others.insert(row.row, at: place)
      rows = others
      unsettled.removeFirst()
    }
    return rows
  }

  /// The same by its definition, on arrays.
  private static func putBack(
    _ reversal: ListReversal, before: [RowID], now: [RowID]
  ) -> [RowID] {
    let back = before.filter { row in reversal.returns.contains { $0.row == row } }
    var rows = now.filter { !reversal.arrivals.contains($0) && !back.contains($0) }
    for row in back {
      let place = before.firstIndex(of: row) ?? 0
      if let previous = before[..<place].last(where: rows.contains) {
        rows.insert(row, at: (rows.firstIndex(of: previous) ?? 0) + 1)
      } else if let next = before[place...].first(where: rows.contains) {
        rows.insert(row, at: rows.firstIndex(of: next) ?? 0)
      } else {
        rows.insert(row, at: min(place, rows.count))
      }
    }
    return rows
  }
}

/// A plain array of ids that random operations change, and the operations.
private struct PlainOrder {
  private(set) var rows: [RowID] = []
  private(set) var operations: [ListOperation] = []
  private var gone: [RowID] = []
  private var random: SplitMix64

  init(count: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    rows = (0..<count).map { _ in RowID(.version7()) }
  }

  mutating func operate(times: Int, permutes: Bool) {
    for _ in 0..<times { operate(permutes: permutes) }
  }

  private mutating func operate(permutes: Bool) {
    let place = Int.random(in: 0...rows.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2:
      let row = RowID(.version7())
      rows.insert(row, at: place)
      operations.append(.insert(row, at: place))
    case 2 where !gone.isEmpty:
      let row = gone.removeLast()
      rows.insert(row, at: place)
      operations.append(.insert(row, at: place))
    case 3..<5 where place < rows.count:
      gone.append(rows[place])
      operations.append(.delete(rows.remove(at: place), at: place))
    case 5 where permutes:
      let order = rows.indices.shuffled(using: &random)
      rows = order.map { rows[$0] }
      operations.append(.permute(order: order))
    case 6..<10 where place < rows.count:
      let to = rows.indices.randomElement(using: &random) ?? 0
      let row = rows.remove(at: place)
      rows.insert(row, at: to)
      operations.append(.move(row, from: place, to: to))
    default: break
    }
  }
}
