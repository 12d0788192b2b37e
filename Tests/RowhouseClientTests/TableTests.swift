import Foundation
import RowhouseTesting
import Support
import Testing

@testable import RowhouseClient

/// A table that the article's controller keeps, while people drag and the network comes and goes.
@MainActor @Suite struct TableTests {
  let server: RowhouseTestServer
  let network: FlakyNetwork
  let rowhouse: Rowhouse
  let controller = ListController()
  var table: UITableView { controller.tableView }

  init() throws {
    server = try makeServer()
    network = try FlakyNetwork(to: server.url)
    rowhouse = Rowhouse(at: network.url, retries: .quick)
  }

  /// Makes a list, and has the table follow it.
  private func follow(_ names: [String]) async throws -> (Rowhouse.List.ID, Task<Void, any Error>) {
    let list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    for name in names { try await server.rowhouse.createItem(ItemDraft(name: name), in: list) }
    let following = Task { try await controller.follow(list, at: rowhouse) }
    try await eventually { table.cells.count == names.count + 1 }
    // What comes by the stream shows that there is one.
    try await server.rowhouse.edit(list, ListEdit(title: "Followed"))
    try await eventually { controller.title == "Followed" }
    return (list, following)
  }

  /// Waits until the table has heard of all that was done, and compares it cell by cell.
  private func expectTheServersRows(_ list: Rowhouse.List.ID) async throws {
    try await server.rowhouse.edit(list, ListEdit(title: "Done"))
    try await eventually { controller.title == "Done" }
    // A drag may be on its way still.
    try await eventually {
      let rows = try await server.rowhouse.rows(of: list, limit: 1_000).rows
      return table.cells == rows.map { UITableView.Cell(title: $0.title, detail: $0.detail) }
    }
    #expect(table.faults.isEmpty)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `Batches alone keep a table as the server has the list`(seed: UInt64) async throws {
    let (list, following) = try await follow((0..<20).map { "First \($0)" })
    defer { following.cancel() }
    var changes = RandomChanges(of: list, seed: seed)
    for _ in 0..<60 {
      if changes.happens(onceIn: 12) { network.cut() }
      try await changes.make(at: server.rowhouse)
    }
    try await expectTheServersRows(list)
    #expect(table.batchCount > 0)
    // Rows are shown anew at the start and never after that.
    #expect(table.reloadCount == 1)
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func `Drags among other people's changes end where the server has them`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let (list, following) = try await follow((0..<12).map { "First \($0)" })
    defer { following.cancel() }
    var changes = RandomChanges(of: list, seed: seed)
    for _ in 0..<30 {
      // A drag may have been faster.
      if changes.happens(onceIn: 2) { _ = try? await changes.make(at: server.rowhouse) }
      if table.cells.count > 1 {
        table.drag(
          from: Int.random(in: 0..<table.cells.count, using: &random),
          to: Int.random(in: 0..<table.cells.count, using: &random))
      }
      if Bool.random(using: &random) { try await Task.sleep(for: .milliseconds(5)) }
    }
    try await expectTheServersRows(list)
  }

  @Test(arguments: [
    (from: 0, to: 2, after: "BCA"), (from: 2, to: 0, after: "CAB"), (from: 1, to: 1, after: "ABC"),
    (from: 0, to: 3, after: "BCA"), (from: 3, to: 0, after: "ABC"),
  ])
  func `A drag is done once`(from: Int, to: Int, after: String) async throws {
    let (list, following) = try await follow(["A", "B", "C"])
    defer { following.cancel() }
    table.drag(from: from, to: to)
    #expect(titles == after)
    let expected = after + "No more items!"
    try await eventually {
      try await server.rowhouse.rows(of: list).rows.map(\.title).joined() == expected
    }
    try await expectTheServersRows(list)
    #expect(titles == after)
    #expect(controller.navigationItem.prompt == nil)
  }

  @Test func `A failed drag is taken back`() async throws {
    let (list, following) = try await follow(["A", "B", "C"])
    defer { following.cancel() }
    network.goDown()
    table.drag(from: 0, to: 2)
    #expect(titles == "BCA")
    try await eventually { titles == "ABC" && controller.navigationItem.prompt != nil }
    network.comeBack()
    try await expectTheServersRows(list)
    #expect(titles == "ABC")
  }

  @Test func `A list that is deleted is left`() async throws {
    let (list, following) = try await follow(["A"])
    try await server.rowhouse.delete(Row.ID(list), recursive: true)
    try await following.value
    #expect(controller.navigationController?.popCount == 1)
  }

  @Test func `A diffable data source reloads every row that looks different`() async throws {
    let list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    var items: [Item.ID] = []
    for name in ["A", "B", "C"] {
      items.append(
        try await server.rowhouse.createItem(ItemDraft(name: name), in: list).resource.id)
    }
    let diffable = DiffableList()
    var updates = ListMirror(of: list, at: rowhouse).updates().makeAsyncIterator()
    diffable.show(try #require(try await updates.next()))
    #expect(diffable.dataSource.reloadCount == 1)
    try await server.rowhouse.perform(
      RowBatch(
        deletes: [.index(1)], moves: [RowBatch.Move(.index(0), to: 1)],
        updates: [.item(items[0], ItemEdit(name: "a")), .item(items[2], ItemEdit(name: "c"))]),
      in: list)
    diffable.show(try #require(try await updates.next()))
    let applied = diffable.dataSource.applied
    #expect(applied.items == [Row.ID(items[2]), Row.ID(items[0]), .sentinel])
    #expect(Set(applied.reconfigured) == [Row.ID(items[0]), Row.ID(items[2])])
    #expect(diffable.rows[Row.ID(items[0])]?.title == "a")
    #expect(diffable.dataSource.reloadCount == 1)
  }

  private var titles: String { table.cells.dropLast().compactMap(\.title).joined() }
}
