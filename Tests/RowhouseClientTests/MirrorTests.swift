import Foundation
import RowhouseTesting
import Testing

@testable import RowhouseClient

/// What a mirror makes of lists that go, change while they are read, or are out of reach.
@Suite struct MirrorTests {
  let server: RowhouseTestServer
  let network: FlakyNetwork
  let rowhouse: Rowhouse

  init() throws {
    server = try makeServer()
    network = try FlakyNetwork(to: server.url)
    rowhouse = Rowhouse(at: network.url, retries: .never)
  }

  private func makeList(_ names: [String] = []) async throws -> Rowhouse.List.ID {
    let list = try await server.rowhouse.createList(ListDraft(title: "Shelf")).resource.id
    for name in names { try await server.rowhouse.createItem(ItemDraft(name: name), in: list) }
    return list
  }

  private func fill(_ list: Rowhouse.List.ID, with count: Int) async throws {
    for first in stride(from: 0, to: count, by: RowBatch.maximumCount) {
      let batch = RowBatch(
        inserts: (first..<min(first + RowBatch.maximumCount, count)).map {
          .item(ItemDraft(name: "Item \($0)"), at: $0)
        })
      try await server.rowhouse.perform(batch, in: list)
    }
  }

  private func allRows(_ list: Rowhouse.List.ID) async throws -> [Row] {
    var rows: [Row] = []
    while true {
      let page = try await server.rowhouse.rows(of: list, offset: rows.count, limit: 1_000)
      rows += page.rows
      if rows.count > page.count { return rows }
    }
  }

  /// Reads on until so many rows are shown.
  private func read(_ updates: inout ListUpdates.Iterator, until count: Int) async throws {
    while let update = try await updates.next() {
      if update.rows.count == count { return }
    }
    Issue.record("The updates ended before.")
  }

  @Test func `How the pinned row looks reaches the mirror`() async throws {
    var updates = ListMirror(of: .root, at: rowhouse).updates().makeAsyncIterator()
    #expect(try await updates.next()?.rows.map(\.title) == ["No more items!"])
    var edit = ListEdit()
    edit.sentinel.text = .set("The end")
    try await server.rowhouse.edit(.root, edit)
    #expect(try await updates.next()?.rows.map(\.title) == ["The end"])
    edit = ListEdit()
    edit.sentinel.visible = false
    try await server.rowhouse.edit(.root, edit)
    #expect(try await updates.next()?.rows.isEmpty == true)
  }

  @Test func `A receipt is taken once, by whichever way it comes first`() async throws {
    let list = try await makeList(["A", "B"])
    let mirror = ListMirror(of: list, at: rowhouse)
    var updates = mirror.updates().makeAsyncIterator()
    _ = try await updates.next()
    for name in ["C", "D", "E"] {
      mirror.absorb(try await rowhouse.createItem(ItemDraft(name: name), in: list).receipt)
      let update = try #require(try await updates.next())
      guard case .batch(let batch) = update.change else {
        Issue.record("Not a batch: \(update.change)")
        return
      }
      #expect(batch.inserts == [update.rows.count - 2])
      #expect(await mirror.rows == update.rows)
    }
    #expect(await mirror.fields?.rowCount == 5)
  }

  @Test func `A list that is deleted is gone, and that is the last update`() async throws {
    let list = try await makeList()
    var updates = ListMirror(of: list, at: rowhouse).updates().makeAsyncIterator()
    _ = try await updates.next()
    try await server.rowhouse.delete(Row.ID(list))
    #expect(try await updates.next()?.change == .gone)
    #expect(try await updates.next() == nil)
  }

  @Test func `A list that is deleted before its events are followed is gone, too`() async throws {
    let list = try await makeList()
    network.answer(with: [[], []], toPathsEndingIn: "/events")
    var updates = ListMirror(of: list, at: rowhouse).updates().makeAsyncIterator()
    _ = try await updates.next()
    try await server.rowhouse.delete(Row.ID(list))
    #expect(try await updates.next()?.change == .gone)
    #expect(network.answered.count == 2)
  }

  @Test func `A list that is deleted during a reload is gone, too`() async throws {
    let list = try await makeList(["A"])
    let mirror = ListMirror(of: list, at: rowhouse)
    var updates = mirror.updates().makeAsyncIterator()
    _ = try await updates.next()
    network.goDown()
    var receipt = try await server.rowhouse.createItem(ItemDraft(name: "B"), in: list).receipt
    try await server.rowhouse.delete(Row.ID(list), recursive: true)
    // As if an event had been missed: the mirror asks, and the server answers that the list is gone.
    receipt.deltas = receipt.deltas.map { delta in
      guard case .changes(var changes) = delta.content else { return delta }
      changes.fromRevision += 1_000
      changes.toRevision += 1_000
      return Delta(listID: delta.listID, content: .changes(changes))
    }
    mirror.absorb(receipt)
    network.comeBack()
    #expect(try await updates.next()?.change == .gone)
    #expect(try await updates.next() == nil)
  }

  @Test func `A mirror waits for the network while it catches up`() async throws {
    let list = try await makeList(["A"])
    let mirror = ListMirror(of: list, at: rowhouse)
    var updates = mirror.updates().makeAsyncIterator()
    _ = try await updates.next()
    network.goDown()
    try await server.rowhouse.createItem(ItemDraft(name: "B"), in: list)
    mirror.absorb(
      try await server.rowhouse.createItem(ItemDraft(name: "C"), in: list).receipt)
    Task {
      // Long enough for several tries to fail.
      try await Task.sleep(for: .seconds(1))
      network.comeBack()
    }
    #expect(
      try await updates.next()?.rows.map(\.title) == ["A", "B", "C", "No more items!"])
  }

  @Test func `A change that is too large makes the mirror read all pages again`() async throws {
    let list = try await makeList(["A"])
    var updates = ListMirror(of: list, at: rowhouse).updates().makeAsyncIterator()
    _ = try await updates.next()
    network.goDown()
    try await fill(list, with: 2_100)
    network.comeBack()
    let update = try #require(try await updates.next())
    #expect(update.change == .all)
    #expect(update.rows.count == 2_102)
    #expect(update.rows == (try await allRows(list)))
  }

  @Test func `A long list is read while it changes all the time`() async throws {
    let list = try await makeList()
    try await fill(list, with: 2_500)
    let busy = server.rowhouse
    let writing = Task {
      var number = 0
      while !Task.isCancelled {
        let from = (number * 7_919) % 2_500
        try await busy.moveRow(in: list, from: from, to: (from * 31) % 2_500)
        number += 1
        if number.isMultiple(of: 3) {
          try await busy.createItem(ItemDraft(name: "New \(number)", at: .index(from)), in: list)
        }
        if number.isMultiple(of: 5) {
          let page = try await busy.rows(of: list, offset: from, limit: 1, showingSentinel: false)
          if let row = page.rows.first { try await busy.delete(row.id) }
        }
      }
    }
    var updates = ListMirror(of: list, at: rowhouse).updates().makeAsyncIterator()
    var last = try await updates.next()
    #expect(last?.change == .all)
    writing.cancel()
    _ = try? await writing.value
    try await server.rowhouse.edit(list, ListEdit(title: "Done"))
    while let update = last, update.list.title != "Done" { last = try await updates.next() }
    #expect(last?.rows == (try await allRows(list)))
  }

  @Test func `A mirror that failed to start can be started again`() async throws {
    let list = try await makeList(["A"])
    let mirror = ListMirror(of: list, at: rowhouse)
    network.goDown()
    var first = mirror.updates().makeAsyncIterator()
    let error = await #expect(throws: RowhouseError.self) { _ = try await first.next() }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await first.next() == nil)
    network.comeBack()
    var second = mirror.updates().makeAsyncIterator()
    #expect(try await second.next()?.rows.count == 2)
    // Another reader may follow beside it.
    var third = mirror.updates().makeAsyncIterator()
    #expect(try await third.next()?.rows.count == 2)
    mirror.absorb(try await server.rowhouse.createItem(ItemDraft(name: "B"), in: list).receipt)
    #expect(try await second.next()?.rows.count == 3)
    #expect(try await third.next()?.rows.count == 3)
  }

  @Test func `A mirror's rows are those of the reader that is furthest`() async throws {
    let list = try await makeList()
    let mirror = ListMirror(of: list, at: rowhouse)
    var quick = mirror.updates().makeAsyncIterator()
    var slow = mirror.updates().makeAsyncIterator()
    _ = try await quick.next()
    _ = try await slow.next()
    for name in ["A", "B"] {
      mirror.absorb(try await server.rowhouse.createItem(ItemDraft(name: name), in: list).receipt)
    }
    try await read(&quick, until: 3)
    #expect(try await slow.next()?.rows.count == 2)
    #expect(await mirror.rows.count == 3)
    #expect(await mirror.fields?.rowCount == 2)
  }

  @Test func `A mirror follows a server that goes back in time`() async throws {
    let mirror = ListMirror(of: .root, at: rowhouse)
    var updates = mirror.updates().makeAsyncIterator()
    _ = try await updates.next()
    try await server.snapshot()
    for name in ["A", "B"] { try await server.rowhouse.createItem(ItemDraft(name: name)) }
    try await read(&updates, until: 3)
    try await server.restore()
    try await read(&updates, until: 1)
    #expect(await mirror.rows.count == 1)
  }

  @Test func `A mirror ends with the task that reads it`() async throws {
    let list = try await makeList()
    let mirror = ListMirror(of: list, at: rowhouse)
    let reader = Task {
      var count = 0
      for try await _ in mirror.updates() {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    #expect(try await reader.value == 1)
  }

  @Test func `An inbox keeps what comes first, and that there was more`() async throws {
    let inbox = ListInbox()
    for _ in 0..<15 { inbox.deliver(.deltas([])) }
    inbox.deliver(.resync)
    guard case .deltas = try await inbox.next() else {
      Issue.record("The first was not the first.")
      return
    }
    inbox.deliver(.deltas([]))
    inbox.deliver(.redraw)
    guard case .behind(redraws: true) = try await inbox.next() else {
      Issue.record("The lost message was not reported.")
      return
    }
    guard case .deltas = try await inbox.next() else {
      Issue.record("It was reported twice.")
      return
    }
  }
}
