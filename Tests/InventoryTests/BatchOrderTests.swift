import FoundationEssentials
import Inventory
import Support
import Testing

@Suite("The steps of a batch")
struct BatchOrderTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `made one after another put every row where the batch wants it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let ids = (0..<24).map { _ in RowID(.version7()) }
    let count = Int.random(in: 0...16, using: &random)
    var rows = Array(ids[..<count])
    let moved = rows.shuffled(using: &random).prefix(Int.random(in: 0...count, using: &random))
    let new = ids[count..<(count + Int.random(in: 0...8, using: &random))]
    let places = (0..<(count + new.count)).shuffled(using: &random)
    let arrivals = zip(moved + new, places).map { (row: $0, to: $1) }.sorted { $0.to < $1.to }

    var wanted = rows.filter { !moved.contains($0) }
    for arrival in arrivals { wanted.insert(arrival.row, at: arrival.to) }

    var order = BatchOrder(
      moving: moved.compactMap { row in
        rows.firstIndex(of: row).map { (row, $0) }
      })
    for (row, target) in arrivals {
      if new.contains(row) {
        rows.insert(row, at: order.insert(at: target))
      } else {
        let move = order.move(row, to: target)
        let step = try #require(move)
        try #require(rows[step.from] == row)
        rows.insert(rows.remove(at: step.from), at: step.to)
      }
    }
    #expect(rows == wanted)
  }
}
