import Foundation
import RowhouseClient
import RowhouseTesting
import Testing

/// Several changes of a list's rows as one, and the details of a refusal.
@Suite struct BatchTests {
  let server: RowhouseTestServer
  var rowhouse: Rowhouse { server.rowhouse }

  init() throws { server = try makeServer() }

  private func makeList(_ names: [String]) async throws -> (Rowhouse.List.ID, [Item.ID]) {
    let list = try await rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    var items: [Item.ID] = []
    for name in names {
      items.append(try await rowhouse.createItem(ItemDraft(name: name), in: list).resource.id)
    }
    return (list, items)
  }

  @Test func `A batch is done as one, by a table view's rules`() async throws {
    let (list, items) = try await makeList(["A", "B", "C", "D"])
    let box = Rowhouse.List.ID(rawValue: UUID().uuidString)
    let answer = try await rowhouse.perform(
      RowBatch(
        deletes: [.index(1, expecting: Row.ID(items[1]))],
        inserts: [
          .item(ItemDraft(name: "E"), at: 0), .list(ListDraft(title: "Box", id: box), at: 4),
        ],
        moves: [RowBatch.Move(.row(Row.ID(items[3])), to: 1)],
        updates: [.item(items[0], ItemEdit(name: "a"))]),
      in: list, ifAt: try await rowhouse.list(list).revision)
    let rows = try await rowhouse.rows(of: list)
    #expect(rows.rows.map(\.title) == ["E", "D", "a", "C", "Box", "No more items!"])
    #expect(answer.receipt.revision == rows.revision)
    let results = answer.results
    #expect(results.deletes.map(\.id) == [Row.ID(items[1])])
    #expect(results.deletes.map(\.index) == [1])
    #expect(results.moves.map(\.from) == [3])
    #expect(results.moves.map(\.to) == [1])
    #expect(results.inserts.map(\.index) == [0, 4])
    guard case .item(let made) = results.inserts.first?.content,
      case .list(let below) = results.inserts.last?.content,
      case .item(let edited) = results.updates.first?.content
    else {
      Issue.record("\(results)")
      return
    }
    #expect(made.name == "E")
    #expect(below.id == box)
    #expect(edited == (try await rowhouse.item(items[0])))
    try await rowhouse.perform(
      RowBatch(updates: [.list(box, ListEdit(title: "Crate"))]), in: list)
    #expect(try await rowhouse.list(box).title == "Crate")
  }

  @Test func `A batch that comes too late is refused with what it has missed`() async throws {
    let (list, _) = try await makeList(["A"])
    let revision = try await rowhouse.list(list).revision
    try await rowhouse.createItem(ItemDraft(name: "B"), in: list)
    let late = await #expect(throws: RowhouseError.self) {
      try await rowhouse.perform(RowBatch(deletes: [.index(0)]), in: list, ifAt: revision)
    }
    #expect(late?.code == .preconditionFailed)
    #expect(late?.problem?.delta?.listID == list)
  }

  @Test func `A row is deleted by its index and id, and then purged`() async throws {
    let (list, items) = try await makeList(["A", "B"])
    let wrong = await #expect(throws: RowhouseError.self) {
      try await rowhouse.deleteRow(in: list, at: 0, expecting: Row.ID(items[1]))
    }
    #expect(wrong?.code == .rowMoved)
    #expect(wrong?.problem?.index == 1)
    try await rowhouse.deleteRow(in: list, at: 1, expecting: Row.ID(items[1]))
    #expect(try await rowhouse.trash().map(\.title) == ["B"])
    try await rowhouse.purge(Row.ID(items[1]))
    #expect(try await rowhouse.trash().isEmpty)
  }

  @Test func `A refusal names its rows`() async throws {
    let (list, items) = try await makeList(["A", "A"])
    let order = await #expect(throws: RowhouseError.self) {
      try await rowhouse.reorder(list, [Row.ID(items[0]), Row.ID(items[0])])
    }
    #expect(order?.code == .notThePresentRows)
    #expect(order?.problem?.members["missing"] == [.string(items[1].rawValue)])
    #expect(order?.problem?.members["duplicate"] == [.string(items[0].rawValue)])
    let path = await #expect(throws: RowhouseError.self) {
      try await rowhouse.resolve("/Shelf/A")
    }
    #expect(path?.code == .ambiguousPath)
    guard case .array(let candidates) = path?.problem?.members["candidates"] else {
      Issue.record("\(String(describing: path))")
      return
    }
    #expect(candidates.count == 2)
    let edit = try await rowhouse.edit(items[0], ItemEdit(name: "B")).receipt
    try await rowhouse.edit(items[0], ItemEdit(name: "C"))
    let undo = await #expect(throws: RowhouseError.self) { try await rowhouse.undo(edit) }
    #expect(undo?.code == .undoConflict)
    #expect(undo?.problem?.members["conflicts"] != nil)
    let problem = try #require(undo?.problem)
    let copy = try JSONDecoder().decode(Problem.self, from: try JSONEncoder().encode(problem))
    #expect(copy == problem)
  }

  @Test func `A screen with a button that is yet to be invented is read`() throws {
    let button = try JSONDecoder().decode(
      BarButton.self,
      from: Data(#"{"action": "share", "title": "Share", "image": null, "enabled": true}"#.utf8))
    #expect(button.action == BarButton.Action(rawValue: "share"))
    #expect(
      try JSONDecoder().decode(BarButton.self, from: try JSONEncoder().encode(button)) == button)
    #expect(try JSONDecoder().decode([Role].self, from: Data(#"["guest"]"#.utf8)) != [.reader])
  }
}
