import Glibc
import Inventory
import Storage
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
      try store.read { (s) throws(InventoryError) in try s.list(.root, for: .local) }.rowCount
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
    let groups = store.store.figures.groupSizes
    #expect((500...501).contains(groups.sum))
    #expect(groups.buckets.reduce(0, +) < 500)
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

  @Test func `a long read past its deadline is ended`() throws {
    let store = try OpenStore { $0.longReadDeadline = .zero }
    let items = (0..<10_000).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
    }
    try store.write(.appendItems(items, to: .root))
    #expect(throws: InventoryError.deadlineExceeded) {
      try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.resolve(path: ["nowhere"], for: .local)
      }
    }
  }

  @Test func `a long read that no reader can be opened for is a failure, and told as one`() throws {
    let faults = Mutex<[StoreFault]>([])
    let store = try OpenStore { configuration in
      configuration.longReaders = 1
      configuration.onFault = { fault in faults.withLock { $0.append(fault) } }
    }
    func resolve() throws -> PathStep {
      try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.resolve(path: [], for: .local)
      }
    }
    let path = store.store.path
    try #require(rename(path, path + ".away") == 0)
    let error = #expect(throws: InventoryError.self) { try resolve() }
    try #require(rename(path + ".away", path) == 0)
    guard case .storageFailed(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(faults.withLock { $0.map(\.cause) } == [cause])
    // A reader that cannot be opened now may be later.
    #expect(throws: Never.self) { try resolve() }
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
