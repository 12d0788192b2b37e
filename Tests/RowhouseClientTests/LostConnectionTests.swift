import Foundation
import RowhouseClient
import RowhouseTesting
import Support
import Testing

/// What a client does while its network comes and goes.
@Suite struct LostConnectionTests {
  let server: RowhouseTestServer
  let network: FlakyNetwork
  let rowhouse: Rowhouse

  init() throws {
    server = try makeServer()
    network = try FlakyNetwork(to: server.url)
    rowhouse = Rowhouse(at: network.url, retries: .quick)
  }

  @Test func `A write whose answer was lost is made again, and done once`() async throws {
    for number in 0..<5 {
      network.dropAnswers(2)
      let made = try await rowhouse.createItem(ItemDraft(name: "Item \(number)"))
      #expect(made.index == number)
    }
    let rows = try await server.rowhouse.rows()
    #expect(rows.count == 5)
    #expect(rows.revision == 5)
  }

  @Test func `Events resume behind the last one`() async throws {
    let revision = try await server.rowhouse.list().revision
    var events = rowhouse.events(since: revision).makeAsyncIterator()
    var seen = revision
    for number in 0..<12 {
      if number.isMultiple(of: 3) { network.cut() }
      let receipt = try await server.rowhouse.createItem(ItemDraft(name: "Item \(number)")).receipt
      while seen < receipt.revision {
        guard case .change(let change) = try await events.next() else {
          Issue.record("The stream ended, or lost its place.")
          return
        }
        // Nothing is missed and nothing comes twice.
        #expect(change.fromRevision == seen)
        seen = change.revision
      }
    }
  }

  @Test func `A list that is deleted ends its events`() async throws {
    let list = try await server.rowhouse.createList(ListDraft(title: "Attic")).resource
    var events = rowhouse.events(of: list.id, since: list.revision).makeAsyncIterator()
    try await server.rowhouse.edit(list.id, ListEdit(title: "Loft"))
    guard case .change = try await events.next() else {
      Issue.record("The change of its title did not come.")
      return
    }
    network.cut()
    try await server.rowhouse.delete(Row.ID(list.id))
    var last: LiveEvent?
    while let event = try await events.next() { last = event }
    #expect(last == .gone)
    var none = rowhouse.events(of: list.id).makeAsyncIterator()
    let refusal = await #expect(throws: RowhouseError.self) { _ = try await none.next() }
    #expect(refusal?.code == .inTrash)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `A mirror shows what the server has`(seed: UInt64) async throws {
    let list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    for number in 0..<20 {
      try await server.rowhouse.createItem(ItemDraft(name: "First \(number)"), in: list)
    }
    let mirror = ListMirror(of: list, at: rowhouse)
    var updates = mirror.updates().makeAsyncIterator()
    var table = ShownTable()
    try table.take(try #require(try await updates.next()))
    #expect(table.rows.count == 21)
    var changes = RandomChanges(of: list, seed: seed)
    for _ in 0..<60 {
      if changes.happens(onceIn: 10) { network.cut() }
      let receipt = try await changes.make(at: server.rowhouse)
      if changes.happens(onceIn: 2) { mirror.absorb(receipt) }
    }
    try await server.rowhouse.edit(list, ListEdit(title: "Done"))
    while let update = try await updates.next() {
      try table.take(update)
      if update.list.title == "Done" { break }
    }
    #expect(table.rows == (try await server.rowhouse.rows(of: list, limit: 1_000).rows))
    #expect(await mirror.rows == table.rows)
  }

  @Test(arguments: [false, true])
  func `A mirror that reloads the rows retries until it has an answer`(isDeleted: Bool) async throws
  {
    let list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    let mirror = ListMirror(of: list, at: rowhouse)
    var updates = mirror.updates().makeAsyncIterator()
    #expect(try await updates.next()?.change == .all)
    // More than it tries a call, and than the stream takes of them meanwhile.
    network.dropAnswers(20)
    var edit = ListEdit()
    edit.sentinel.text = .set("The end")
    let receipt = try await server.rowhouse.edit(list, edit).receipt
    if isDeleted { try await server.rowhouse.delete(Row.ID(list)) }
    mirror.absorb(receipt)
    let update = try #require(try await updates.next())
    #expect(update.change == (isDeleted ? .gone : .all))
    #expect(update.rows.last?.title == (isDeleted ? "No more items!" : "The end"))
  }
}
