import RowhouseClient
import RowhouseTesting
import Testing

@Suite struct GarageTests {
  let server: RowhouseTestServer

  init() throws { server = try RowhouseTestServer(executable: executable) }

  @Test func `Nothing goes below the pinned row`() async throws {
    for name in ["Bicycle", "Saw"] {
      try await server.rowhouse.createItem(ItemDraft(name: name))
    }
    let receipt = try await server.rowhouse.moveRow(in: .root, from: 0, to: 9)
    #expect(receipt.retargeted)
    let titles = try await server.rowhouse.rows().rows.map(\.title)
    #expect(titles == ["Saw", "Bicycle", "No more items!"])
  }
}

extension GarageTests {
  @Test func `A lost answer is no second bicycle`() async throws {
    try await server.fail(FaultRule(.loseAnswer, method: "POST", nth: 1))
    try await server.rowhouse.createItem(ItemDraft(name: "Bicycle"))
    #expect(try await server.rowhouse.rows().count == 1)
  }
}
