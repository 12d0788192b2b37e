import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Synchronization
import Testing

@Suite("Writes of offline clients")
struct SyncStoreTests {
  private let clock = SetClock()
  private let folder: TemporaryFolder
  private let client = SyncClientID(.version7())

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ configure: (inout DatabaseStore.Configuration) -> Void = { _ in }
  ) throws -> OpenStore {
    try OpenStore { [folder, clock] in
      $0.path = folder.database
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
      $0.housekeepingInterval = .seconds(86_400)
      configure(&$0)
    }
  }

  /// A write whose stored result is its name and what became of it.
  private func context(
    _ number: Int64, of client: SyncClientID? = nil, first: Int64? = nil, sending text: String = "",
    as caller: Caller = .local
  ) -> WriteContext {
    var context = WriteContext(caller: caller, requestID: "test")
    context.sync = SyncStep(
      client: client ?? self.client, number: number, first: first ?? number,
      digest: SHA256.digest(of: Array(text.utf8))
    ) { result in
      switch result {
      case .done(let outcome): Array("\(number) done at \(outcome.receipt.revision)".utf8)
      case .refused: Array("\(number) refused".utf8)
      case .repeated: Array("\(number) repeated".utf8)
      }
    }
    return context
  }

  private func add(_ name: String) -> Command {
    .createItem(
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: name)), in: .root, .last)
  }

  private func text(_ result: Result<Outcome, InventoryError>) throws -> String? {
    try result.get().kept.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `are done once, however often they are sent and whatever happens in between`() throws {
    var results: [String?] = []
    for round in 0..<3 {
      // Each round is after a restart.
      let open = try open()
      for number in 1...Int64(round + 1) {
        results.append(try text(open.store.write(add("\(number)"), context(number, first: 1))))
      }
      #expect(try open.titles() == (1...round + 1).map(String.init))
    }
    #expect(
      results == [
        "1 done at 1", "1 done at 1", "2 done at 2", "1 done at 1", "2 done at 2", "3 done at 3",
      ])
    let open = try open()
    #expect(open.store.write(add("x"), context(5)) == .failure(.sequenceGap(last: 3)))
    #expect(try text(open.store.write(add("4"), context(4))) == "4 done at 4")
    #expect(try text(open.store.write(add("x"), context(3))) == "3 repeated")
    #expect(try text(open.store.write(add("x"), context(4))) == "4 done at 4")
    #expect(try open.titles() == ["1", "2", "3", "4"])
  }

  @Test func `are not done under the number of another write, nor are they said to be`() throws {
    let open = try open()
    #expect(try text(open.store.write(add("1"), context(1, sending: "1"))) == "1 done at 1")
    #expect(
      open.store.write(add("x"), context(1, sending: "x")) == .failure(.sequenceGap(last: 1)))
    #expect(try text(open.store.write(add("1"), context(1, sending: "1"))) == "1 done at 1")
    // Results that were stored before there were digests count for each write.
    try open.connection().execute("UPDATE sync_result SET digest = NULL")
    #expect(try text(open.store.write(add("x"), context(1, sending: "x"))) == "1 done at 1")
    #expect(try open.titles() == ["1"])
  }

  @Test func `that are refused half way change nothing, and use their number`() throws {
    let open = try open()
    let taken = try open.addThing("taken")
    // The first item is in the list before the second one is found to be impossible.
    let items = [ItemID(.version7()), taken].map {
      NewItem(id: $0, details: ItemDetails(name: "new"))
    }
    let command = Command.appendItems(items, to: .root)
    #expect(try text(open.store.write(command, context(1))) == "1 refused")
    #expect(try open.titles() == ["taken"])
    try open.write(.deleteRow(RowID(taken), kind: .any, isRecursive: false))
    try open.write(.purge(RowID(taken)))
    try open.store.doChores()
    #expect(try text(open.store.write(command, context(1))) == "1 refused")
    #expect(try text(open.store.write(command, context(2))) == "2 done at 3")
    #expect(try open.titles() == ["new", "new"])
    #expect(try open.store.findings() == [])
  }

  /// A commit fails behind a change and its number. Neither may be there then, and the client sends the write again.
  @Test(arguments: ["change", "sync_client"])
  func `and their numbers are in one transaction`(table: String) throws {
    let failure = Awaited<StorageFailure>()
    var gone: ItemID?
    do {
      let open = try open {
        $0.groupDuration = .seconds(86_400)
        $0.onMediumFailure = { failure.fulfill($0) }
      }
      gone = try open.addThing("Gone")
      #expect(try text(open.store.write(add("Kept"), context(1))) == "1 done at 2")
      // A deferred constraint is looked at by COMMIT: https://www.sqlite.org/foreignkeys.html#fk_deferred
      try open.connection().execute(
        """
        CREATE TABLE obstacle (key INTEGER REFERENCES row DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER obstruction AFTER \(table == "change" ? "INSERT" : "UPDATE") ON \(table)
        BEGIN INSERT INTO obstacle VALUES (-1); END
        """)
      let deletion = Command.deleteRow(RowID(try #require(gone)), kind: .any, isRecursive: false)
      #expect(open.store.write(deletion, context(2)) == .failure(.outcomeUnknown))
      _ = failure.value
      #expect(open.store.write(add("x"), context(3)) == .failure(.shuttingDown))
    }
    try Connection(path: folder.database, mode: .readWrite)
      .execute("DROP TRIGGER obstruction; DROP TABLE obstacle")
    let open = try open()
    #expect(try open.titles() == ["Gone", "Kept"])
    // The number is not used: a later one leaves a gap.
    #expect(open.store.write(add("x"), context(3)) == .failure(.sequenceGap(last: 1)))
    let deletion = Command.deleteRow(RowID(try #require(gone)), kind: .any, isRecursive: false)
    #expect(try text(open.store.write(deletion, context(2))) == "2 done at 3")
    #expect(try text(open.store.write(deletion, context(2))) == "2 done at 3")
    #expect(try open.titles() == ["Kept"])
  }

  @Test func `stop at a full disk, and go on when there is room`() throws {
    let notes = String(repeating: "x", count: 60_000)
    func long(_ number: Int64) -> Command {
      .createItem(
        NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)", notes: notes)),
        in: .root, .last)
    }
    var done: Int64 = 0
    do {
      let open = try open { $0.sizeLimit = 900 << 10 }
      // All wait at the same time, so some share a transaction with the one that finds no room.
      let answers = (1...40).map { _ in Awaited<Result<Outcome, InventoryError>>() }
      for number in 1...Int64(40) {
        let answer = answers[Int(number) - 1]
        open.store.submit(long(number), context(number, first: 1)) { answer.fulfill($0) }
      }
      let results = answers.map(\.value)
      done = Int64(results.prefix { (try? $0.get()) != nil }.count)
      #expect((1..<40).contains(done))
      #expect(results[Int(done)] == .failure(.storageFull))
      for result in results[Int(done)...] {
        // Nothing is done behind the one that failed.
        switch result {
        case .failure(.storageFull), .failure(.sequenceGap(last: done)): break
        default: Issue.record("\(result)")
        }
      }
      #expect(try open.titles() == (1...done).map(String.init))
    }
    let open = try open()
    for number in 1...Int64(40) {
      _ = try open.store.write(long(number), context(number, first: done)).get()
    }
    #expect(try open.titles() == (1...40).map(String.init))
  }

  @Test func `have clients that are forgotten after 400 days without use, in small steps`() throws {
    let open = try open()
    func clients() throws -> [Int] {
      let db = try open.connection()
      return try ["sync_client", "sync_result"].map {
        try db.prepare("SELECT count(*) FROM \($0)").first { $0.int(0) } ?? -1
      }
    }
    let old = SyncClientID(.version7())
    let start = clock.now.seconds
    for number in 1...Int64(5) {
      _ = try open.store.write(add("a"), context(number, of: old, first: 1)).get()
    }
    clock.set(Timestamp(seconds: start + 1))
    for _ in 0..<3 {
      _ = try open.store.write(add("b"), context(1, of: SyncClientID(.version7()))).get()
    }
    _ = try open.store.write(add("c"), context(1)).get()
    clock.set(Timestamp(seconds: start + Limits.syncClientLifetime - 1))
    try open.store.doChores { $0 is SyncClientExpiry }
    #expect(try clients() == [5, 9])
    _ = try open.store.write(add("d"), context(2)).get()
    clock.set(Timestamp(seconds: start + Limits.syncClientLifetime))
    try open.store.doChores { $0 is SyncClientExpiry }
    #expect(try clients() == [4, 4])
    #expect(open.store.write(add("x"), context(6, of: old)) == .failure(.sequenceGap(last: 0)))
    clock.set(Timestamp(seconds: start + Limits.syncClientLifetime + 1))
    let db = try open.connection()
    let steps = try (0..<4).map { _ in try SyncClientExpiry().step(in: db, now: clock.now) }
    // One client in each step.
    #expect(steps == [true, true, true, false])
    #expect(try clients() == [1, 1])
    #expect(try text(open.store.write(add("x"), context(2))) == "2 done at 10")
  }

  @Test(arguments: [false, true])
  func `have clients that go with their token`(isPurged: Bool) throws {
    let open = try open()
    let list = try open.addList("Shelf")
    let credential = Credential.random().credential
    try open.administer(
      .createToken(
        NewToken(credential: credential, name: "Sam", role: .owner, root: list)))
    let sam = Caller(root: list, role: .owner, name: "Sam", token: credential.token)
    _ = try open.store.write(add("a"), context(1, as: sam)).get()
    _ = try open.store.write(add("b"), context(1)).get()
    if isPurged {
      try open.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
      try open.write(.purge(RowID(list)))
    } else {
      try open.administer(.revokeToken(credential.token))
    }
    #expect(open.store.write(add("c"), context(2, as: sam)) == .failure(.tokenRevoked))
    try open.store.doChores { $0 is SyncClientExpiry }
    var left: [String] = []
    try open.connection().prepare("SELECT owner FROM sync_client").forEach {
      left.append($0.string(0))
    }
    #expect(left == [""])
  }
}
