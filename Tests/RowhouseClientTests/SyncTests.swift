import Foundation
import RowhouseClient
import RowhouseTesting
import Testing

@Suite struct SyncTests {
  private let server: RowhouseTestServer
  private let client = SyncClient.ID(rawValue: UUID().uuidString)
  private var rowhouse: Rowhouse { server.rowhouse }

  init() throws { server = try makeServer() }

  private func id() -> String { UUID().uuidString }

  @Test func `What was done offline is done once, and each outcome says how`() async throws {
    let garage = Rowhouse.List.ID(rawValue: id())
    let saw = Item.ID(rawValue: id())
    var draft = ItemDraft(name: "Saw", at: .after(.init(rawValue: id())).or(.first))
    draft.id = saw
    let commands: [SyncCommand.Intent] = [
      try .create(ListDraft(title: "Garage", id: garage)),
      try .create(draft, in: garage),
      try .create(ItemDraft(name: "Lamp"), in: garage),
      .moveRows([Row.ID(saw)], into: garage, at: .last),
      .delete(Row.ID(saw), recursive: false),
      .restore(Row.ID(saw), into: garage, at: .first),
      .delete(.init(rawValue: id()), recursive: true),
    ]
    let first = try await rowhouse.sync(
      commands.enumerated().map { SyncCommand($0.offset + 1, $0.element) }, as: client)
    #expect(first.problem == nil)
    #expect(
      first.outcomes.map(\.outcome)
        == [.done, .merged, .done, .done, .done, .done, .refused])
    #expect(first.outcomes[1].position == .first)
    #expect(first.outcomes[6].problem?.code == .notFound)
    #expect(first.outcomes[0].undo == "/v1/changes/1/undo")
    #expect(first.revision == 6)
    #expect(try await rowhouse.rows(of: garage).rows.map(\.title).prefix(2) == ["Saw", "Lamp"])

    // The phone shows this item while somebody else edits it.
    let seen = try await rowhouse.item(saw)
    var theirs = ItemEdit(name: "Their saw")
    theirs.notes = .set("rusty")
    try await rowhouse.edit(saw, theirs)
    let list = try await rowhouse.list(garage)
    let edits: [SyncCommand.Intent] = [
      try .edit(seen, ItemEdit(name: "My saw")), try .edit(list, ListEdit(title: "Shed")),
    ]
    let second = try await rowhouse.sync(
      edits.enumerated().map { SyncCommand($0.offset + 8, $0.element) }, as: client)
    #expect(second.outcomes.map(\.outcome) == [.overwrote, .done])
    #expect(second.outcomes[0].overwritten == ["name": "Their saw"])
    #expect(second.outcomes[0].kept == ["/notes"])
    #expect(try await rowhouse.item(saw).name == "My saw")
  }

  @Test func `A lost answer is given again, and nothing is done twice`() async throws {
    let network = try FlakyNetwork(to: server.url)
    let far = Rowhouse(at: network.url, retries: .quick)
    let commands = try (1...3).map {
      SyncCommand($0, try .create(ItemDraft(name: "Item \($0)")))
    }
    network.dropAnswers(2)
    let answer = try await far.sync(commands, as: client)
    #expect(answer.outcomes.map(\.revision) == [1, 2, 3])
    let again = try await rowhouse.sync(commands, as: client)
    #expect(again.outcomes == answer.outcomes)
    await #expect(throws: RowhouseError.self) {
      try await rowhouse.sync([SyncCommand(9, commands[0].intent)], as: client)
    }
    #expect(try await rowhouse.rows().rows.count == 4)
  }

  @Test func `Commands can be kept on disk`() throws {
    let row = Row.ID(rawValue: id())
    let list = Rowhouse.List.ID(rawValue: id())
    let place = Position.after(row).or(.before(row)).or(.last)
    let intents: [SyncCommand.Intent] = [
      .createList(["id": "x", "title": "Box"], in: .root, at: .first),
      .createItem(["id": "x", "name": "Saw"], in: list, at: place),
      .editList(list, patch: ["title": "Chest"], from: ["title": "Box"]),
      .editItem(.init(rawValue: id()), patch: ["notes": .null], from: ["notes": "x"]),
      .moveRows([row, row], into: list, at: place),
      .delete(row, recursive: true),
      .restore(row, into: nil, at: nil),
      .restore(row, into: list, at: .before(row)),
    ]
    let commands = intents.enumerated().map { SyncCommand($0.offset + 1, $0.element) }
    let data = try JSONEncoder().encode(commands)
    #expect(try JSONDecoder().decode([SyncCommand].self, from: data) == commands)
    let position = try JSONDecoder().decode(
      JSONValue.self, from: JSONEncoder().encode(["position": place]))
    let id = JSONValue.string(row.rawValue)
    #expect(
      position == ["position": ["after": id, "else": ["before": id, "else": "last"]]])
    for position in [Position.index(3), .last, place] {
      let data = try JSONEncoder().encode([position])
      #expect(try JSONDecoder().decode([Position].self, from: data) == [position])
    }
  }
}
