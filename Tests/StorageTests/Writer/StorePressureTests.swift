import Glibc
import Inventory
import Storage
import Support
import Synchronization
import Testing

@Suite struct `Store under pressure` {
  private func context(_ number: Int) -> WriteContext {
    WriteContext(caller: .local, requestID: "\(number)")
  }

  private func newThing(_ number: Int, notes: String? = nil) -> Command {
    .createItem(
      NewItem(
        id: ItemID(.version7()), details: ItemDetails(name: "\(number)", notes: notes)),
      in: .root, .last)
  }

  @Test func `writes beyond the queue's limit are refused at once`() throws {
    let store = try OpenStore { $0.queueLimit = 2 }
    let refused = Atomic<Int>(0)
    let answered = Atomic<Int>(0)
    for number in 0..<2_000 {
      store.store.submit(newThing(number), context(number)) { result in
        if case .failure(.overloaded) = result { refused.add(1, ordering: .relaxed) }
        answered.add(1, ordering: .relaxed)
      }
    }
    wait { answered.load(ordering: .relaxed) == 2_000 }
    let made = 2_000 - refused.load(ordering: .relaxed)
    #expect(made < 2_000)
    #expect(
      try store.read { (s) throws(InventoryError) in try s.list(.root) }.rowCount
        == made)
  }

  @Test func `writes submitted together get revisions without holes, in their order`() throws {
    let store = try OpenStore()
    let revisions = Mutex<[Int: Int64]>([:])
    for number in 0..<500 {
      store.store.submit(newThing(number), context(number)) { result in
        let revision = (try? result.get().receipt.revision.number) ?? -1
        revisions.withLock { $0[number] = revision }
      }
    }
    wait { revisions.withLock({ $0.count }) == 500 }
    #expect(revisions.withLock { all in (0..<500).map { all[$0] } } == (1...500).map { Int64($0) })
    #expect(try store.titles() == (0..<500).map(String.init))
    // When it starts the store looks after photos, which may be one more.
    let groups = store.store.statistics.groupSizes
    #expect((500...501).contains(groups.sum))
    #expect(groups.buckets.reduce(0, +) < 500)
  }

  @Test func `those who ask at once whether it is ready share one write`() throws {
    let store = try OpenStore()
    let before = store.store.statistics.groupSizes.sum
    let answers = Atomic<Int>(0)
    _ = store.holdingWriter {
      for _ in 0..<200 {
        store.store.checkReadiness { _ in answers.add(1, ordering: .relaxed) }
      }
    }
    wait { answers.load(ordering: .relaxed) == 200 }
    #expect(store.store.statistics.groupSizes.sum - before <= 4)
  }

  @Test func `a full database refuses what does not fit and keeps the rest of the group`() throws {
    let store = try OpenStore { $0.sizeLimit = 600 << 10 }
    let results = Mutex<[Int: Result<Outcome, InventoryError>]>([:])
    // Without words, which the search index would have to keep once more.
    let notes = String(repeating: "-", count: 60_000)
    // Large and small ones in one group: the full disk rolls all of it back, and the small ones must
    // still be there in the end.
    for number in 0..<40 {
      store.store.submit(newThing(number, notes: number % 2 == 0 ? notes : nil), context(number)) {
        result in results.withLock { $0[number] = result }
      }
    }
    wait { results.withLock({ $0.count }) == 40 }
    let all = results.withLock { $0 }
    let made = all.filter { if case .success = $0.value { true } else { false } }.keys.sorted()
    let full = all.filter { $0.value == .failure(.storageFull) }.keys
    #expect(made.count + full.count == 40)
    #expect(!full.isEmpty)
    #expect(full.allSatisfy { $0 % 2 == 0 })
    #expect(try store.titles() == made.map(String.init))
    let revisions = made.compactMap { try? all[$0]?.get().receipt.revision.number }
    #expect(revisions == (1...made.count).map { Int64($0) })
  }

  @Test func `a full database is not ready`() throws {
    let store = try OpenStore { $0.sizeLimit = 700 << 10 }
    guard case .success = store.readiness() else {
      Issue.record("There is room.")
      return
    }
    let isFull = (0..<3_000).contains { number in
      store.result(newThing(number, notes: nil)) == .failure(.storageFull)
    }
    #expect(isFull)
    guard case .failure(.storageFull) = store.readiness() else {
      Issue.record("There is no room.")
      return
    }
  }

  @Test func `a long read past its deadline is ended`() throws {
    let store = try OpenStore { $0.longReadDeadline = .zero }
    let items = (0..<10_000).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
    }
    try store.write(.appendItems(items, to: .root))
    #expect(throws: InventoryError.deadlineExceeded) {
      try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.resolve(path: ["nowhere"])
      }
    }
  }

  /// Reads that stay inside of one call until they are let go.
  private final class Stuck: Sendable {
    let areLetGo = Atomic<Bool>(false)
    let begun = Atomic<Int>(0)

    func hold() {
      begun.add(1, ordering: .relaxed)
      while !areLetGo.load(ordering: .relaxed) { usleep(100) }
    }
  }

  /// Answers a long read of any client.
  private func readLong(
    _ store: DatabaseStore, for requester: Requester = .server,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Void,
    later: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) throws {
    _ = try store.makeSession().read(.long, as: .local, for: requester, body, later: later)
  }

  @Test func `a long read is refused at its deadline while others are stuck, and those too`() throws
  {
    let store = try OpenStore { $0.longReadDeadline = .milliseconds(1) }
    let stuck = Stuck()
    let refused = Atomic<Int>(0)
    // As many as there are threads, or less where the deadline comes first, and some that wait.
    for _ in 0..<10 {
      try readLong(store.store) { _ in
        stuck.hold()
      } later: { result in
        if case .failure(.deadlineExceeded) = result { refused.add(1, ordering: .relaxed) }
      }
    }
    wait { refused.load(ordering: .relaxed) == 10 }
    stuck.areLetGo.store(true, ordering: .relaxed)
  }

  @Test func `a store closes beside a long read that does not end`() throws {
    var configuration = DatabaseStore.Configuration(path: TestDatabase.temporary)
    configuration.longReadDeadline = .seconds(3_600)
    let store = try DatabaseStore(configuration)
    let stuck = Stuck()
    let isRefused = Atomic<Bool>(false)
    try readLong(store) { _ in
      stuck.hold()
    } later: { result in
      if case .failure = result { isRefused.store(true, ordering: .relaxed) }
    }
    wait { stuck.begun.load(ordering: .relaxed) == 1 }
    store.endLongReads(within: .zero)
    wait { isRefused.load(ordering: .relaxed) }
    store.close()
    stuck.areLetGo.store(true, ordering: .relaxed)
  }

  @Test(arguments: [false, true])
  func `a long read ends once no client waits for it`(isRunning: Bool) throws {
    let store = try OpenStore()
    let hasLeft = Atomic<Bool>(!isRunning)
    let hasBegun = Atomic<Bool>(false)
    let result = Mutex<Result<Void, InventoryError>?>(nil)
    let requester = Requester { hasLeft.load(ordering: .relaxed) }
    try readLong(store.store, for: requester) { (snapshot) throws(InventoryError) in
      hasBegun.store(true, ordering: .relaxed)
      while true { _ = try snapshot.list(.root) }
    } later: { given in
      result.withLock { $0 = given }
    }
    if isRunning {
      wait { hasBegun.load(ordering: .relaxed) }
      hasLeft.store(true, ordering: .relaxed)
    }
    wait { result.withLock { $0 != nil } }
    guard case .failure(.deadlineExceeded)? = result.withLock({ $0 }) else {
      Issue.record("\(String(describing: result.withLock { $0 }))")
      return
    }
    #expect(hasBegun.load(ordering: .relaxed) == isRunning)
  }

  @Test func `long reads open no file, for which there may be no descriptor by then`() throws {
    let store = try OpenStore()
    let path = store.store.path
    try #require(rename(path, path + ".away") == 0)
    defer { rename(path + ".away", path) }
    for _ in 1...10 {
      #expect(throws: Never.self) {
        try store.read(.long) { (snapshot) throws(InventoryError) in
          try snapshot.resolve(path: [])
        }
      }
    }
  }

  @Test func `a refused write leaves the others of its group alone`() throws {
    let store = try OpenStore()
    let results = Mutex<[Int: Bool]>([:])
    for number in 0..<100 {
      let command =
        number % 3 == 0
        ? Command.moveRow(in: .root, from: 1_000, to: 0, expecting: nil) : newThing(number)
      store.store.submit(command, context(number)) { result in
        let isMade = (try? result.get()) != nil
        results.withLock { $0[number] = isMade }
      }
    }
    wait { results.withLock({ $0.count }) == 100 }
    let made = results.withLock { $0 }.filter(\.value).keys.sorted()
    #expect(made == (0..<100).filter { $0 % 3 != 0 })
    #expect(try store.titles() == made.map(String.init))
  }
}
