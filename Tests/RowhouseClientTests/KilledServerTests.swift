import Foundation
import RowhouseClient
import Support
import Synchronization
import Testing

/// Phones keep lists open while the server is killed, and comes back as it was or with an older database.
///
/// What a task waits for while others block its threads counts for the limit, and that may be all other suites.
@Suite("Mirrors of a server that is killed", .timeLimit(.minutes(60)))
struct KilledServerTests {
  private let server: KilledServer
  private let lists: [Rowhouse.List.ID]
  private let rowhouse: Rowhouse

  init() async throws {
    server = try KilledServer()
    rowhouse = try await server.start()
    var lists = [try await rowhouse.list().id]
    for number in 1...2 {
      let list = try await rowhouse.createList(ListDraft(title: "Shelf \(number)")).resource.id
      for number in 0..<20 {
        try await rowhouse.createItem(ItemDraft(name: "First \(number)"), in: list)
      }
      lists.append(list)
    }
    self.lists = lists
  }

  /// Follows a list until it has that title or is gone, as a table that does what batches say.
  private func follow(
    _ list: Rowhouse.List.ID, until title: String, _ progress: Progress
  ) -> Task<ShownTable, any Error> {
    let mirror = ListMirror(of: list, at: rowhouse)
    return Task {
      var table = ShownTable()
      for try await update in mirror.updates() {
        progress.show(update, of: list)
        try table.take(update)
        if update.change == .gone || update.list.title == title { break }
      }
      return table
    }
  }

  /// What has been shown, followed and changed so far.
  private final class Progress: Sendable {
    private struct State {
      var shown: Set<Rowhouse.List.ID> = []
      var followed: Set<Rowhouse.List.ID> = []
      var changes = 0
    }
    private let state = Mutex(State())

    func show(_ update: ListUpdate, of list: Rowhouse.List.ID) {
      state.withLock { state in
        state.shown.insert(list)
        if case .batch = update.change { state.followed.insert(list) }
      }
    }

    func countChange() { state.withLock { $0.changes += 1 } }
    var changes: Int { state.withLock { $0.changes } }

    /// Until so many lists have been shown, so many have changed before the eyes, and so many changes were made.
    func wait(shown: Int, followed: Int = 0, changes: Int = 0) async throws {
      while state.withLock({
        $0.shown.count < shown || $0.followed.count < followed || $0.changes < changes
      }) {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Changes all lists but the root list, at once, until that goes wrong or so many changes are made of each.
  private func change(_ count: Int, seed: UInt64, _ progress: Progress) async {
    await withTaskGroup { group in
      for (number, list) in lists.dropFirst().enumerated() {
        group.addTask {
          var changes = RandomChanges(of: list, seed: seed &* 100 &+ UInt64(number))
          for _ in 0..<count {
            do { try await changes.make(at: rowhouse) } catch { return }
            progress.countChange()
          }
        }
      }
    }
  }

  private func expectServersRows(
    _ tables: [Task<ShownTable, any Error>], at rowhouse: Rowhouse
  ) async throws {
    for (list, table) in zip(lists, tables) {
      let table = try await table.value
      #expect(table.batchCount > 0)
      #expect(table.rows == (try await rowhouse.rows(of: list, limit: 1_000).rows))
    }
  }

  private func endAll(at rowhouse: Rowhouse) async throws {
    // The root list last: its rows show the others' titles.
    for list in lists.reversed() { try await rowhouse.edit(list, ListEdit(title: "Done")) }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `continue from their last event when it is back`(seed: UInt64) async throws {
    let progress = Progress()
    let tables = lists.map { follow($0, until: "Done", progress) }
    try await progress.wait(shown: lists.count)
    for round in 1...3 as ClosedRange<UInt64> {
      async let changing: Void = change(.max, seed: seed &* 10 &+ round, progress)
      try await progress.wait(
        shown: lists.count, followed: lists.count, changes: 25 * Int(round))
      try await server.kill()
      await changing
      _ = try await server.start()
    }
    try await endAll(at: rowhouse)
    try await expectServersRows(tables, at: rowhouse)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `show what an older backup has, and all that is done to it since`(
    seed: UInt64
  ) async throws {
    let backup = server.folder.file("backup.sqlite")
    #expect(try await server.run("backup", backup) == .exit(0))
    let late = try await rowhouse.createList(ListDraft(title: "Made after the backup")).resource.id
    let progress = Progress()
    let tables = lists.map { follow($0, until: "Done", progress) }
    let lost = follow(late, until: "Done", progress)
    async let changing: Void = change(.max, seed: seed, progress)
    try await progress.wait(shown: lists.count + 1, followed: lists.count, changes: 40)
    try await server.kill()
    await changing

    #expect(try await server.run("restore", backup, "--force") == .exit(0))
    // Mirrors that are just reading the rows anew are cut off once more.
    _ = try await server.start()
    try await server.kill()
    _ = try await server.start()
    let before = progress.changes
    await change(25, seed: seed &+ 1_000, progress)
    #expect(progress.changes == before + 25 * (lists.count - 1))
    try await endAll(at: rowhouse)
    try await expectServersRows(tables, at: rowhouse)
    // The backup knows nothing of that list.
    #expect(try await lost.value.isGone)
  }
}
