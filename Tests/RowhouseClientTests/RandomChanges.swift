import RowhouseClient
import Support

/// Changes of one list's rows, made one after another by another client.
struct RandomChanges {
  let list: Rowhouse.List.ID
  private var random: SplitMix64
  private var step = 0

  init(of list: Rowhouse.List.ID, seed: UInt64) {
    self.list = list
    random = SplitMix64(seed: seed)
  }

  /// Whether something happens that does once in so many times.
  mutating func happens(onceIn times: Int) -> Bool {
    Int.random(in: 0..<times, using: &random) == 0
  }

  /// Does something to the list, chosen at random.
  @discardableResult
  mutating func make(at rowhouse: Rowhouse) async throws -> Receipt {
    step += 1
    let rows = try await rowhouse.rows(of: list, limit: 1_000, showingSentinel: false).rows
    guard let row = rows.randomElement(using: &random) else {
      return try await rowhouse.createItem(ItemDraft(name: "Again \(step)"), in: list).receipt
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      return try await rowhouse.delete(row.id)
    case 1:
      let to = Int.random(in: 0..<rows.count, using: &random)
      return try await rowhouse.moveRow(in: list, from: row.index, to: to)
    case 2:
      return try await rowhouse.edit(
        Item.ID(rawValue: row.id.rawValue), ItemEdit(name: "Named \(step)")
      ).receipt
    case 3:
      return try await rowhouse.sort(
        list, by: Bool.random(using: &random) ? "title" : "-title")
    default:
      let position = Position.index(Int.random(in: 0...rows.count, using: &random))
      return try await rowhouse.createItem(
        ItemDraft(name: "New \(step)", at: position), in: list
      ).receipt
    }
  }
}
