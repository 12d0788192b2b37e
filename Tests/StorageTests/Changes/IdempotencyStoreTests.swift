import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite("Stored responses to writes with an idempotency key")
struct IdempotencyStoreTests {
  private let clock = SetClock()
  private let open: OpenStore

  init() throws {
    let clock = clock
    open = try OpenStore {
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
  }

  private func retry(_ key: String, sending body: String = "") -> IdempotentRequest {
    IdempotentRequest(
      scope: SHA256.digest(of: []), key: key, fingerprint: SHA256.digest(of: Array(body.utf8))
    ) { Array("at \($0.receipt.revision)".utf8) }
  }

  /// Opens a store that does not trust the clock yet.
  private func openUnsettled() throws -> OpenStore {
    try OpenStore { [clock] in
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
      $0.clockSettlingTime = .seconds(3_600)
      $0.housekeepingInterval = .milliseconds(1)
    }
  }

  private func add(
    _ name: String, _ retry: IdempotentRequest, to store: OpenStore? = nil
  ) -> Result<Outcome, InventoryError> {
    let new = NewItem(id: ItemID(.version7()), details: ItemDetails(name: name))
    return (store ?? open).store.write(
      .createItem(new, in: .root, .last),
      WriteContext(caller: .local, requestID: "test", retry: retry))
  }

  @Test func `are given again for a day, and then the key is new`() throws {
    let first = try add("a", retry("k")).get()
    #expect(first.kept == StoredResponse(bytes: Array("at 1".utf8), isReplayed: false))
    clock.set(Timestamp(seconds: clock.now.seconds + IdempotentRequest.lifetime - 1))
    let again = try add("b", retry("k")).get()
    #expect(again.kept == StoredResponse(bytes: Array("at 1".utf8), isReplayed: true))
    #expect(add("c", retry("k", sending: "other")) == .failure(.idempotencyKeyReused))
    clock.set(Timestamp(seconds: clock.now.seconds + 1))
    // Each write with a key deletes some expired responses.
    _ = try add("d", retry("l")).get()
    let late = try add("e", retry("k", sending: "other")).get()
    #expect(late.kept == StoredResponse(bytes: Array("at 3".utf8), isReplayed: false))
    #expect(try open.titles() == ["a", "d", "e"])
  }

  @Test(arguments: [2, -2])
  func `are given again although the clock was wrong meanwhile`(days: Int64) throws {
    let open = try openUnsettled()
    let now = clock.now
    _ = try add("a", retry("k"), to: open).get()
    clock.set(Timestamp(seconds: now.seconds + days * IdempotentRequest.lifetime))
    #expect(try add("a", retry("k"), to: open).get().kept?.isReplayed == true)
    _ = try add("b", retry("l"), to: open).get()
    clock.set(now)
    #expect(try add("a", retry("k"), to: open).get().kept?.isReplayed == true)
    #expect(try open.titles() == ["a", "b"])
  }

  @Test(arguments: [2, -2])
  func `are given again although the clock was wrong at first`(days: Int64) throws {
    let open = try openUnsettled()
    let now = clock.now
    clock.set(Timestamp(seconds: now.seconds + days * IdempotentRequest.lifetime))
    _ = try add("a", retry("k"), to: open).get()
    clock.set(now)
    _ = try add("b", retry("l"), to: open).get()
    #expect(try add("a", retry("k"), to: open).get().kept?.isReplayed == true)
    #expect(try open.titles() == ["a", "b"])
  }

  @Test func `are given again after the clock was set right by some days`() throws {
    let folder = try TemporaryFolder()
    func start() throws -> OpenStore {
      try OpenStore { [clock] in
        $0.path = folder.database
        $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
        $0.clockSettlingTime = .seconds(3_600)
      }
    }
    func isReplayed(_ key: String, in store: OpenStore) throws -> Bool? {
      let new = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "a"))
      let context = WriteContext(caller: .local, requestID: "test", retry: retry(key))
      return try store.store.write(.createItem(new, in: .root, .last), context).get().kept?
        .isReplayed
    }
    do { #expect(try isReplayed("k", in: try start()) == false) }
    clock.set(Timestamp(seconds: clock.now.seconds + 3 * IdempotentRequest.lifetime))
    let store = try start()
    // A write with another key deletes only what has certainly expired.
    #expect(try isReplayed("other", in: store) == false)
    #expect(try isReplayed("k", in: store) == true)
  }

  @Test func `are deleted in steps of so many bytes`() throws {
    let db = try open.connection()
    let bytes = [UInt8](repeating: 7, count: IdempotencyStore.bytesAtOnce * 2 / 5)
    for number in 0..<8 {
      try IdempotencyStore(db: db).store(
        bytes, for: retry("old \(number)"), now: Timestamp(seconds: clock.now.seconds))
    }
    let late = Timestamp(seconds: clock.now.seconds + IdempotentRequest.lifetime)
    var left: [Int] = []
    var hasMore = true
    while hasMore {
      hasMore = try IdempotencyStore.sweep(db, now: late)
      left.append(try db.statement("SELECT count(*) FROM answer").first { $0.int(0) } ?? -1)
    }
    #expect(left == [5, 2, 0])
  }

  @Test func `are not kept for what is refused`() throws {
    #expect(throws: InventoryError.self) { try add("", retry("k")).get() }
    #expect(try add("a", retry("k", sending: "other")).get().kept?.isReplayed == false)
  }

  @Test func `come before whatever is wrong with the caller's world by now`() throws {
    let list = try open.addList("Shelf")
    let context = WriteContext(
      caller: Caller(root: list, role: .owner, name: "test"), requestID: "test", retry: retry("k"))
    let rename = Command.editList(.root) { (old) throws(InventoryError) in old }
    _ = try open.store.write(rename, context).get()
    try open.write(.deleteRow(RowID(list), kind: .list, isRecursive: false))
    #expect(try open.store.write(rename, context).get().kept?.isReplayed == true)
  }

  @Test func `go in small steps once they are too old`() throws {
    for number in 0..<10 { _ = try add("\(number)", retry("\(number)")).get() }
    let db = try open.connection()
    let later = Timestamp(seconds: clock.now.seconds + IdempotentRequest.lifetime)
    #expect(try !IdempotencyStore.sweep(db, now: Timestamp(seconds: later.seconds - 1), limit: 4))
    #expect(try IdempotencyStore.sweep(db, now: later, limit: 4))
    #expect(try IdempotencyStore.sweep(db, now: later, limit: 4))
    #expect(try !IdempotencyStore.sweep(db, now: later, limit: 4))
    #expect(try db.prepare("SELECT count(*) FROM answer").first { $0.int(0) } == 0)
  }
}
