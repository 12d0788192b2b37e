import Inventory
import Testing

@Suite struct `A landing` {
  @Test(arguments: [
    (0, 0, 0, false), (0, 1, 0, true), (0, .max, 0, true),
    (1, 0, 0, false), (1, 1, 1, false), (1, 2, 1, true),
    (5, 3, 3, false), (5, 5, 5, false), (5, 6, 5, true), (5, .max, 5, true),
  ])
  func `is above the sentinel`(
    count: Int, proposed: Int, index: Int, isRetargeted: Bool
  ) throws {
    let landing = try Landing.above(
      sentinelOf: count, proposed: proposed, isStrict: false, field: ["to"])
    #expect(landing == Landing(index: index, isRetargeted: isRetargeted))
  }

  @Test(arguments: [(0, 1), (1, 2), (5, 6), (5, .max)])
  func `past the last place is refused when strict`(count: Int, proposed: Int) {
    #expect(throws: InventoryError.sentinelLast(lastIndex: RowIndex(count))) {
      try Landing.above(sentinelOf: count, proposed: proposed, isStrict: true, field: ["to"])
    }
  }

  @Test(arguments: [(0, 0), (5, 0), (5, 5)])
  func `at a place there is, is the same when strict`(count: Int, proposed: Int) throws {
    let landing = try Landing.above(
      sentinelOf: count, proposed: proposed, isStrict: true, field: ["to"])
    #expect(landing == Landing(index: proposed))
  }

  @Test(arguments: [-1, .min], [false, true])
  func `below zero is invalid, strict or not`(proposed: Int, isStrict: Bool) {
    let field = ["position", "index"]
    let error = #expect(throws: InventoryError.self) {
      try Landing.above(sentinelOf: 5, proposed: proposed, isStrict: isStrict, field: field)
    }
    guard case .invalid(let fieldErrors) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fieldErrors.map(\.path) == [field])
  }
}
