import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Synchronization
import Testing

@Suite("A new order of a long list") struct LongOrderTests {
  private static let shape = TreeShape(fanOut: 4, gap: 4)
  private static let piece = 6
  private let folder: TemporaryFolder
  private let open: OpenStore
  private let list: ListID
  private static let sorted = NewOrder.sorted(SortOrder(key: .title))

  init() throws {
    folder = try TemporaryFolder()
    open = try Self.open(folder.database)
    list = try open.addList("Shelf")
    // 37 is a generator of all numbers below 100.
    let items = (0..<100).map { number in
      NewItem(
        id: ItemID(.version7()), details: ItemDetails(name: Self.title(number * 37 % 100)))
    }
    try open.write(.appendItems(items, to: .id(list)))
  }

  private static func open(_ path: String) throws -> OpenStore {
    try OpenStore(shape: shape) {
      $0.path = path
      $0.orderBound = 10
      $0.orderPiece = piece
      $0.housekeepingInterval = .seconds(3_600)
    }
  }

  private static func title(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  private static let allTitles = (0..<100).map(title)

  private func titles() throws -> [String] { try open.titles(of: .id(list)) }

  private func findings() throws -> [String] {
    try open.store.findings(Self.shape)
  }

  private func count(_ table: String) throws -> Int {
    try open.connection().prepare("SELECT count(*) FROM \(table)").first { $0.int(0) } ?? 0
  }

  /// Runs in the writer's transaction whenever it takes something, until `end`.
  private static func probe(
    _ store: DatabaseStore, until end: @escaping @Sendable () -> Bool,
    _ look: @escaping @Sendable (Connection) throws(StorageError) -> Void
  ) {
    let work = PendingWrite.Work.task { (db) throws(StorageError) in
      try look(db)
      return 0
    }
    store.push(work, isOptional: false) { result in
      if case .success = result, !end() { probe(store, until: end, look) }
    }
  }

  @Test func `is one change with one revision`() throws {
    let before = try titles()
    let receipt = try open.write(.reorder(.id(list), Self.sorted)).receipt
    #expect(receipt.revision == Revision(3))
    #expect(receipt.isChanged)
    #expect(receipt.deltas.count == 1)
    #expect(try titles() == Self.allTitles)
    #expect(try findings() == [])
    #expect(try count("arranged_leaf") == 100)
    let undo = try open.write(.undo(Revision(3))).receipt
    #expect(undo.revision == Revision(4))
    #expect(try titles() == before)
    #expect(try findings() == [])
    try open.store.doChores()
    #expect(try count("arranged_row") == 100)
    #expect(try count("arrangement") == 1)
    #expect(try findings() == [])
    #expect(try titles() == before)
  }

  @Test func `moves few places when a row moves`() throws {
    try open.write(.reorder(.id(list), Self.sorted))
    try open.write(.moveRow(in: .id(list), from: 10, to: 70, expecting: nil))
    #expect(try count("arranged_row") == 99)
    try open.addThing("new", to: .id(list), .index(40))
    #expect(try count("arranged_leaf") == 99)
    #expect(try titles()[71] == "10")
    #expect(try titles()[40] == "new")
    #expect(try findings() == [])
  }

  @Test(arguments: [true, false])
  func `is given up when its client has left`(isGone: Bool) throws {
    let before = try titles()
    let answer = Answer<Outcome>()
    var context = WriteContext(caller: .local, requestID: "test")
    context.isGone = { isGone }
    open.store.submit(.reorder(.id(list), Self.sorted), context) { answer.give($0) }
    switch answer.wait() {
    case .success: #expect(!isGone)
    case .failure(let error): #expect(isGone && error == .overloaded)
    }
    #expect(try titles() == (isGone ? before : Self.allTitles))
    #expect(try findings() == [])
  }

  @Test func `changes nothing where the rows are in it`() throws {
    try open.write(.reorder(.id(list), Self.sorted))
    let again = try open.write(.reorder(.id(list), Self.sorted)).receipt
    #expect(!again.isChanged)
    #expect(again.revision == Revision(3))
  }

  @Test func `has the moves for a table view`() throws {
    try open.write(.reorder(.id(list), Self.sorted))
    let ids = try open.read { [list] (snapshot) throws(InventoryError) in
      var ids: [RowID] = []
      try snapshot.rows(
        of: .id(list), PageWindow(start: .offset(0), limit: 100), begin: { _, _ in true },
        visit: {
          ids.append($0.id)
          return true
        })
      return ids
    }
    let receipt = try open.write(.reorder(.id(list), .ids([ids[99]] + ids.dropLast()))).receipt
    guard case .changes(let changes)? = receipt.deltas.first?.content else {
      Issue.record("no delta")
      return
    }
    #expect(changes.moves.map(\.from) == [RowIndex(99)])
    #expect(changes.moves.map(\.to) == [RowIndex(0)])
    #expect(changes.countBefore == 100)
    #expect(try titles() == ["99"] + Self.allTitles.dropLast())
    let wrong = open.result(.reorder(.id(list), .ids(Array(ids.dropLast()) + [ids[0]])))
    #expect(
      wrong
        == .failure(.notThePresentRows(missing: [ids[99]], unknown: [], duplicate: [ids[0]])))
    // A body of far too many ids is not read to its end.
    let strange = (0..<100_000).map { _ in RowID(.version7()) }
    let long = open.result(.reorder(.id(list), .ids(strange)))
    let named = Array(strange.prefix(100))
    #expect(long == .failure(.notThePresentRows(missing: [], unknown: named, duplicate: [])))
  }

  @Test func `continues while rows are added, moved and deleted`() throws {
    try open.write(.reorder(.id(list), Self.sorted))
    var model = Self.allTitles
    for step in 0..<60 {
      let index = step * 31 % model.count
      switch step % 3 {
      case 0:
        try open.addThing("new \(step)", to: .id(list), .index(index))
        model.insert("new \(step)", at: index)
      case 1:
        let to = step * 17 % model.count
        try open.write(.moveRow(in: .id(list), from: index, to: to, expecting: nil))
        model.insert(model.remove(at: index), at: to)
      default:
        try open.write(
          .deleteRowAt(.id(list), index: index, expecting: nil, isRecursive: false))
        model.remove(at: index)
      }
      #expect(try titles() == model)
      if step % 20 == 19 { try open.store.doChores() }
      #expect(try findings() == [])
    }
    #expect(try count("arranged_leaf") == count("arranged_row"))
  }

  @Test func `reaches the writer in small pieces, with other writes between them`() throws {
    // Otherwise it may follow in one step between two looks.
    try open.awaitIndex()
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let most = Mutex((last: 0, most: 0, looks: 0))
    Self.probe(open.store, until: { isDone.isFulfilled }) { (db) throws(StorageError) in
      most.withLock {
        let changes = db.totalChanges
        if $0.looks > 0 { $0.most = max($0.most, changes - $0.last) }
        $0.last = changes
        $0.looks += 1
      }
    }
    open.store.submit(
      .reorder(.id(list), Self.sorted), WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    _ = try isDone.value.get()
    let found = most.withLock { $0 }
    // Two pieces, or one and the change itself, may come between two looks.
    #expect(found.most <= 2 * Self.piece + 8)
    #expect(found.looks >= 200 / Self.piece / 2)
  }

  @Test func `is computed again if a row was added meanwhile`() throws {
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let hasCome = Atomic<Bool>(false)
    let (store, list) = (open.store, list)
    Self.probe(open.store, until: { isDone.isFulfilled }) { (db) throws(StorageError) in
      let isBeingWritten = try db.sql("SELECT 1 FROM arranged_leaf").one { _ in true }
      guard isBeingWritten != nil, !hasCome.exchange(true, ordering: .relaxed) else { return }
      let new = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "50 and a half"))
      store.submit(
        .createItem(new, in: .id(list), .first), WriteContext(caller: .local, requestID: "other")
      ) { _ in }
    }
    store.submit(
      .reorder(.id(list), Self.sorted), WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    _ = try isDone.value.get()
    let hasReallyCome = hasCome.load(ordering: .relaxed)
    #expect(hasReallyCome)
    var expected = Self.allTitles
    expected.insert("50 and a half", at: 51)
    #expect(try titles() == expected)
    #expect(try findings() == [])
    try open.store.doChores()
    #expect(try count("arranged_leaf") == 101)
    #expect(try findings() == [])
  }

  @Test func `by values is computed again if a row's value changed meanwhile`() throws {
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let isEdited = Atomic<Bool>(false)
    let item = try open.addThing("!", to: .id(list))
    let store = open.store
    Self.probe(open.store, until: { isDone.isFulfilled }) { (db) throws(StorageError) in
      let isBeingWritten = try db.sql("SELECT 1 FROM arranged_leaf").one { _ in true }
      guard isBeingWritten != nil, !isEdited.exchange(true, ordering: .relaxed) else { return }
      let edit = Command.editItem(item) { (details) throws(InventoryError) in
        var details = details
        details.name = "zero"
        return details
      }
      store.submit(edit, WriteContext(caller: .local, requestID: "other")) { _ in }
    }
    store.submit(
      .reorder(.id(list), Self.sorted), WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    _ = try isDone.value.get()
    #expect(try titles() == Self.allTitles + ["zero"])
  }

  @Test(arguments: [true, false])
  func `by the last update is computed again if a row was updated meanwhile`(
    isItem: Bool
  ) throws {
    let clock = SetClock()
    func wait() { clock.set(Timestamp(seconds: clock.now.seconds + 60)) }
    let open = try OpenStore(shape: Self.shape) {
      $0.orderBound = 10
      $0.orderPiece = Self.piece
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let items = try (0..<20).map { try open.addThing("\($0)") }
    let box = try open.addList("box")
    // Neither change is a step on the list.
    let late =
      isItem
      ? Command.editItem(items[15]) { (details) throws(InventoryError) in
        var details = details
        details.notes = "late"
        return details
      }
      : Command.editList(.id(box)) { (details) throws(InventoryError) in
        var details = details
        details.sentinel.text = "late"
        return details
      }
    wait()
    try open.write(
      .editItem(items[10]) { (details) throws(InventoryError) in
        var details = details
        details.notes = "early"
        return details
      })
    wait()
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let hasCome = Atomic<Bool>(false)
    let store = open.store
    Self.probe(store, until: { isDone.isFulfilled }) { (db) throws(StorageError) in
      let isBeingWritten = try db.sql("SELECT 1 FROM arranged_leaf").one { _ in true }
      guard isBeingWritten != nil, !hasCome.exchange(true, ordering: .relaxed) else { return }
      store.submit(late, WriteContext(caller: .local, requestID: "other")) { _ in }
    }
    let newest = SortOrder(key: .updatedAt, isDescending: true)
    store.submit(
      .reorder(.root, .sorted(newest)), WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    _ = try isDone.value.get()
    let hasReallyCome = hasCome.load(ordering: .relaxed)
    #expect(hasReallyCome)
    #expect(try open.titles().prefix(2) == [isItem ? "15" : "box", "10"])
  }

  @Test func `that is sent again while it is made is answered as the first time`() throws {
    let retry = IdempotentRequest(
      scope: SHA256.digest(of: []), key: "k", fingerprint: SHA256.digest(of: [])
    ) { Array("at \($0.receipt.revision)".utf8) }
    var context = WriteContext(caller: .local, requestID: "test", retry: retry)
    context.ifMatch = .revisions([Revision(2)])
    let answers = [
      Awaited<Result<Outcome, InventoryError>>(), Awaited<Result<Outcome, InventoryError>>(),
    ]
    for answer in answers {
      open.store.submit(.reorder(.id(list), Self.sorted), context) { answer.fulfill($0) }
    }
    let kept = try answers.map { try $0.value.get().kept }
    #expect(
      kept == [false, true].map { StoredResponse(bytes: Array("at 3".utf8), isReplayed: $0) })
  }

  @Test func `does not wait for another caller's order that is computed again and again`() throws {
    let other = try open.addList("Other")
    for number in 0..<20 { try open.addThing(Self.title(number * 7 % 20), to: .id(other)) }
    let (anna, ben) = (try open.owner("Anna"), try open.owner("Ben"))
    let (first, second) = (
      Awaited<Result<Outcome, InventoryError>>(), Awaited<Result<Outcome, InventoryError>>()
    )
    let order = Mutex<[String]>([])
    let (store, list) = (open.store, list)
    let hasCome = Atomic<Bool>(false)
    let lastWritten = Mutex<Int?>(nil)
    // Each time Anna's order is written, her list gets a row: only one, or the list would grow faster than it is written.
    Self.probe(store, until: { first.isFulfilled }) { (db) throws(StorageError) in
      let written = try db.sql(
        """
        SELECT arrangement.key FROM arrangement JOIN arranged_leaf ON arrangement = arrangement.key
        JOIN row ON row.key = list WHERE row.id = ?1 AND state = 0
        """
      ).bind(list).one { $0.int(0) }
      let isNew = lastWritten.withLock { last in
        defer { last = written ?? last }
        return written != nil && written != last
      }
      guard isNew else { return }
      let new = NewItem(id: ItemID(.version7()), details: ItemDetails(name: "x"))
      store.submit(
        .createItem(new, in: .id(list), .last), WriteContext(caller: .local, requestID: "other")
      ) { _ in }
      guard !hasCome.exchange(true, ordering: .relaxed) else { return }
      store.submit(
        .reorder(.id(other), Self.sorted), WriteContext(caller: ben, requestID: "ben")
      ) {
        order.withLock { $0.append("Ben") }
        second.fulfill($0)
      }
    }
    store.submit(
      .reorder(.id(list), Self.sorted), WriteContext(caller: anna, requestID: "anna")
    ) {
      order.withLock { $0.append("Anna") }
      first.fulfill($0)
    }
    // Mostly refused after the last attempt.
    _ = first.value
    // Otherwise Ben's order never comes.
    let hasReallyCome = hasCome.load(ordering: .relaxed)
    try #require(hasReallyCome)
    _ = try second.value.get()
    #expect(order.withLock { $0 } == ["Ben", "Anna"])
    #expect(try open.titles(of: .id(other)) == (0..<20).map(Self.title))
    try store.doChores()
    #expect(try findings() == [])
  }

  @Test func `of the same list by two callers follow each other`() throws {
    let callers = [try open.owner("Anna"), try open.owner("Ben")]
    let answers = callers.map { _ in Awaited<Result<Outcome, InventoryError>>() }
    let sorts = [Self.sorted, .sorted(SortOrder(key: .title, isDescending: true))]
    for (index, answer) in answers.enumerated() {
      open.store.submit(
        .reorder(.id(list), sorts[index]), WriteContext(caller: callers[index], requestID: "test")
      ) { answer.fulfill($0) }
    }
    let revisions = try answers.map { try $0.value.get().receipt.revision }
    let last = revisions[0] < revisions[1] ? Array(Self.allTitles.reversed()) : Self.allTitles
    #expect(try titles() == last)
    try open.store.doChores()
    #expect(try count("arrangement") == 1)
    #expect(try findings() == [])
  }

  @Test func `that could not be abandoned is abandoned when others begin`() throws {
    let states = Awaited<[Int]>()
    let (list, shape) = (list, Self.shape)
    // In a server's database, those that other processes write are not abandoned.
    let count = TestDatabase.isOnServer ? Int(Arrangement.mostOpen) + 1 : 2
    let work = PendingWrite.Work.task { (db) throws(StorageError) in
      let key =
        try db.sql("SELECT key FROM row WHERE id = ?1").bind(list).one { $0.key(0) } ?? RowKey(0)
      for number in 1...count {
        _ = try Arrangement.begin(
          of: key, rowCount: 100, shape: shape, isAlone: number == 2, in: db)
      }
      var found: [Int] = []
      try db.sql("SELECT state FROM arrangement ORDER BY key").each { found.append($0.int(0)) }
      states.fulfill(found)
      return 0
    }
    open.store.push(work) { _ in }
    #expect(states.value == [1] + Array(repeating: 0, count: count - 1))
  }

  @Test func `is refused, and leaves nothing, where the list goes meanwhile`() throws {
    let isDone = Awaited<Result<Outcome, InventoryError>>()
    let hasGone = Atomic<Bool>(false)
    let (store, list) = (open.store, list)
    Self.probe(open.store, until: { isDone.isFulfilled }) { (db) throws(StorageError) in
      let isBeingWritten = try db.sql("SELECT 1 FROM arranged_leaf").one { _ in true }
      guard isBeingWritten != nil, !hasGone.exchange(true, ordering: .relaxed) else { return }
      let context = WriteContext(caller: .local, requestID: "other")
      store.submit(.deleteRow(RowID(list), kind: .list, isRecursive: true), context) { _ in }
      store.submit(.purge(RowID(list)), context) { _ in }
    }
    store.submit(
      .reorder(.id(list), Self.sorted), WriteContext(caller: .local, requestID: "test")
    ) { isDone.fulfill($0) }
    #expect(isDone.value == .failure(.notFound(.list)))
    try store.doChores()
    for table in ["arrangement", "arranged_leaf", "arranged_row", "node"] {
      #expect(try count(table) == 0)
    }
    #expect(try findings() == [])
  }

  @Test func `takes its conditions and its key as any other`() throws {
    let stale = open.result(.reorder(.id(list), Self.sorted), ifMatch: .revisions([Revision(3)]))
    guard case .failure(.preconditionFailed) = stale else {
      Issue.record("\(stale)")
      return
    }
    var context = WriteContext(
      caller: .local, requestID: "test",
      retry: IdempotentRequest(
        scope: SHA256.digest(of: []), key: "k", fingerprint: SHA256.digest(of: [])
      ) { Array("at \($0.receipt.revision)".utf8) })
    context.isDryRun = true
    let before = try titles()
    #expect(
      try open.store.write(.reorder(.id(list), Self.sorted), context).get().receipt.revision
        == Revision(3))
    #expect(try titles() == before)
    #expect(try count("arrangement") == 0)
    context.isDryRun = false
    for isReplayed in [false, true] {
      let outcome = try open.store.write(.reorder(.id(list), Self.sorted), context).get()
      #expect(outcome.kept == StoredResponse(bytes: Array("at 3".utf8), isReplayed: isReplayed))
    }
    #expect(try titles() == Self.allTitles)
  }

  @Test func `that was never finished is cleared away after the next start`() throws {
    let folder = try TemporaryFolder()
    do {
      let first = try Self.open(folder.database)
      try first.addList("Shelf")
      for number in 0..<30 { try first.addThing("\(number)") }
      let shape = first.store.configuration.shape
      let work = PendingWrite.Work.task { (db) throws(StorageError) in
        let list = try db.sql("SELECT root FROM inventory").one { $0.key(0) } ?? RowKey(0)
        let begun = try Arrangement.begin(
          of: list, rowCount: 31, shape: shape, isAlone: true, in: db)
        let rows = (1...31).map { RowKey($0) }
        _ = try begun?.write(0..<70, rows: rows, byKey: Array(0..<31), in: db)
        return 0
      }
      let answer = Awaited<Result<PendingWrite.Done, InventoryError>>()
      first.store.push(work) { answer.fulfill($0) }
      _ = try answer.value.get()
    }
    #expect(try Database.check(path: folder.database, shape: Self.shape) == [])
    let second = try Self.open(folder.database)
    #expect(try second.titles().count == 31)
    try second.store.doChores()
    let left = try second.connection().prepare(
      """
      SELECT (SELECT count(*) FROM arrangement) + (SELECT count(*) FROM arranged_leaf)
        + (SELECT count(*) FROM arranged_row)
      """
    ).first { $0.int(0) }
    #expect(left == 0)
  }

  @Test func `is in a backup, and in what is brought back from it`() throws {
    try open.write(.reorder(.id(list), Self.sorted))
    try open.write(.moveRow(in: .id(list), from: 50, to: 0, expecting: nil))
    let expected = ["50"] + Self.allTitles.filter { $0 != "50" }
    let copy = folder.file("copy.sqlite")
    _ = try open.store.backUp(to: copy)
    let new = folder.file("new.sqlite")
    _ = try Database.restore(from: copy, to: new, shape: Self.shape)
    let restored = try Self.open(new)
    #expect(try restored.titles(of: .id(list)) == expected)
    let exported = try open.read(.everything) { [list] (snapshot) throws(InventoryError) in
      var titles: [String] = []
      try snapshot.transfer(of: .id(list)) { (record) throws(InventoryError) in
        if case .item(let item) = record { titles.append(item.details.title) }
      }
      return titles
    }
    #expect(exported == expected)
  }
}
