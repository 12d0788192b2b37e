import FoundationEssentials
import Inventory
@testable import Storage
import Support
import Testing

@Suite struct `A token of a list that is gone for good` {
  private let list = ListID(.version7())
  private let credential = Credential.random().credential

  private func open(sweeping: Bool) throws -> OpenStore {
    let store = try OpenStore { configuration in
      configuration.housekeepingInterval = sweeping ? .milliseconds(1) : .seconds(86_400)
    }
    try make(in: store)
    try createToken(in: store)
    return store
  }

  private func createToken(in store: OpenStore) throws {
    try store.administer(
      .createToken(NewToken(credential: credential, name: "Sam", role: .editor, root: list)))
  }

  /// Replaces the inventory by a root list, and a list in it.
  private func replace(in store: OpenStore, by root: ListID, with inner: ListID? = nil) throws {
    func record(_ id: ListID, _ holder: TransferredList.Holder) -> TransferRecord {
      .list(
        TransferredList(
          id: id, holder: holder, details: ListDetails(title: "List"),
          createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0)))
    }
    let id = ImportID(.version7())
    var records = [NumberedRecord(line: 1, record: record(root, .nothing))]
    if let inner { records.append(NumberedRecord(line: 2, record: record(inner, .list(root)))) }
    try store.write(.stage(id, .inventory, records))
    try store.write(.finishImport(id))
  }

  private func make(in store: OpenStore) throws {
    try store.write(
      .createList(NewList(id: list, parent: .root, details: ListDetails(title: "Shelf"))))
  }

  private func purge(in store: OpenStore) throws {
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(list)))
  }

  private func tokens(in store: OpenStore) throws -> [TokenID] {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.tokens().map(\.id)
    }
  }

  @Test(arguments: [false, true])
  func `goes with the purge of it or of what it is in, before anything is cleared away`(
    isInner: Bool
  ) throws {
    let store = try open(sweeping: false)
    let outer = try store.addThing("Cupboard")
    if isInner {
      let contents = ListID(.version7())
      try store.write(.makeContents(of: outer, id: contents))
      try store.write(.relocate(RowID(list), into: .id(contents), .last))
      try store.write(.deleteRow(RowID(outer), kind: .any, isRecursive: true))
      #expect(store.store.isGood(credential.token))
      try store.write(.purge(RowID(outer)))
    } else {
      try purge(in: store)
    }
    #expect(!store.store.isGood(credential.token))
    #expect(try tokens(in: store) == [])
    try make(in: store)
    #expect(store.store.caller(showing: credential) == nil)
    try store.store.doChores()
    #expect(store.store.caller(showing: credential) == nil)
    #expect(try store.titles() == (isInner ? ["Shelf"] : ["Cupboard", "Shelf"]))
  }

  @Test func `stays while it is in the trash, and goes when the trash gives it up`() throws {
    let clock = SetClock()
    let store = try OpenStore {
      $0.trashTime = 100
      $0.housekeepingInterval = .seconds(86_400)
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    try make(in: store)
    try createToken(in: store)
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.store.doChores()
    #expect(try tokens(in: store) == [credential.token])
    clock.set(Timestamp(seconds: clock.now.seconds + 100))
    // As the writer's idle moments do it, one chore after the other.
    try store.store.doChores { $0 is TrashExpiry }
    #expect(try tokens(in: store) == [])
    try make(in: store)
    #expect(try tokens(in: store) == [])
  }

  /// In hundreds of instructions.
  private func cost(ofPurgeWithTokens count: Int) throws -> Int {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(86_400) }
    let top = try store.addList("Top")
    for _ in 0..<count {
      let list = try store.addList("Shelf", to: .id(top))
      try store.administer(
        .createToken(
          NewToken(
            credential: Credential.random().credential, name: "Sam", role: .reader, root: list)))
    }
    try store.write(.deleteRow(RowID(top), kind: .any, isRecursive: true))
    let db = try store.connection()
    try db.begin(.immediate)
    defer { db.rollback() }
    let change = try Change(
      WriteContext(caller: .local, requestID: "test"), in: db, shape: TreeShape(),
      now: Timestamp(seconds: 5))
    var steps = 0
    db.setProgress(every: 100) {
      steps += 1
      return false
    }
    _ = try CommandRunner(change).run(.purge(RowID(top)))
    #expect(try TokenTable(db: db).count == 0)
    return steps
  }

  @Test func `goes with others in a time for each, and not for each pair`() throws {
    let (few, many) = (try cost(ofPurgeWithTokens: 50), try cost(ofPurgeWithTokens: 200))
    #expect(many <= 6 * few)
  }

  @Test func `is one of at most so many of an inventory, and lists' owners create half`() throws {
    let store = try OpenStore()
    let db = try store.connection()
    func fill(upTo count: Int) throws {
      try db.execute(
        """
        WITH RECURSIVE numbers(n) AS (
          SELECT count(*) + 1 FROM token UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
        INSERT INTO token (id, digest, inventory, role, name, created_at)
        SELECT randomblob(16), randomblob(32), inventory.id, 0, 'Sam', 0 FROM numbers, inventory
        """)
    }
    func create(_ role: Role, as caller: Caller = .local) throws {
      try store.administer(
        .createToken(
          NewToken(credential: Credential.random().credential, name: "Kim", role: role)),
        as: caller)
    }
    let owner = Caller(
      root: try store.addList("Shared"), role: .owner, name: "Lee", grant: .unconditional)
    try fill(upTo: Limits.tokens / 2 - 1)
    try create(.reader, as: owner)
    #expect(throws: InventoryError.self) { try create(.reader, as: owner) }
    try fill(upTo: Limits.tokens - 1)
    try create(.reader)
    #expect(throws: InventoryError.self) { try create(.reader) }
    // An administrator's is of no inventory.
    try create(.admin)
  }

  @Test func `does not come back with an import in place of everything`() throws {
    let store = try open(sweeping: false)
    try purge(in: store)
    try replace(in: store, by: list)
    #expect(store.store.caller(showing: credential) == nil)
  }

  @Test func `goes at the start, where an earlier build has kept it until it was cleared away`()
    throws
  {
    let folder = try TemporaryFolder()
    func open() throws -> OpenStore {
      try OpenStore { [folder] configuration in
        configuration.path = folder.database
        configuration.housekeepingInterval = .seconds(86_400)
      }
    }
    do {
      let store = try open()
      try make(in: store)
      try createToken(in: store)
      let db = try store.connection()
      try db.execute("CREATE TEMP TABLE kept AS SELECT * FROM token")
      try purge(in: store)
      try db.execute("DELETE FROM token; INSERT INTO token SELECT * FROM kept")
    }
    #expect(try tokens(in: try open()) == [])
  }

  @Test func `leaves a closed server closed, until a token is made and revoked`() throws {
    let folder = try TemporaryFolder()
    func open() throws -> OpenStore {
      try OpenStore { [folder] in $0.path = folder.database }
    }
    let anybody = Caller(role: .admin, name: "anybody", grant: .openServer)
    let add = Command.createList(
      NewList(id: ListID(.version7()), parent: .root, details: ListDetails(title: "Desk")))
    do {
      let store = try open()
      try make(in: store)
      try createToken(in: store)
      try purge(in: store)
      #expect(try tokens(in: store) == [])
      #expect(store.store.hasTokens)
      #expect(store.result(add, as: anybody) == .failure(.tokenMissing))
    }
    let store = try open()
    #expect(store.store.hasTokens)
    #expect(try tokens(in: store) == [])
    #expect(store.result(add, as: anybody) == .failure(.tokenMissing))
    let other = Credential.random().credential
    try store.administer(.createToken(NewToken(credential: other, name: "Kim", role: .admin)))
    #expect(try tokens(in: store) == [other.token])
    try store.administer(.revokeToken(other.token))
    #expect(!store.store.hasTokens)
    try store.write(add, as: anybody)
  }

  @Test func `is removed with the list, and grants no access to another list with its id`() throws {
    let store = try open(sweeping: true)
    #expect(store.store.isGood(credential.token))
    try purge(in: store)
    wait { !store.store.isGood(credential.token) }
    #expect(store.store.caller(showing: credential) == nil)
    #expect(try tokens(in: store) == [])
    try make(in: store)
    #expect(store.store.caller(showing: credential) == nil)
  }

  @Test func `goes at the start, where an earlier build has left it`() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try OpenStore { [folder] in $0.path = folder.database }
      try make(in: store)
      try store.administer(
        .createToken(NewToken(credential: credential, name: "Sam", role: .editor, root: list)))
      try store.connection().execute("UPDATE token SET root = randomblob(16)")
    }
    let again = try OpenStore { [folder] in $0.path = folder.database }
    #expect(try tokens(in: again) == [])
  }

  @Test func `goes with an import that does not bring the list, and stays with one that does`()
    throws
  {
    for isBrought in [true, false] {
      let store = try open(sweeping: false)
      try replace(in: store, by: ListID(.version7()), with: isBrought ? list : nil)
      #expect(store.store.isGood(credential.token) == isBrought)
    }
  }

  @Test func `goes with an import that makes the list the root, and is never for everything`()
    throws
  {
    let store = try open(sweeping: false)
    let code = InvitationCode.random().code
    let owner = Credential.random().credential
    try store.administer(.createToken(NewToken(credential: owner, name: "Kim", role: .owner)))
    try store.administer(
      .createInvitation(NewInvitation(code: code, name: "Phone", role: .reader, root: list)))
    try replace(in: store, by: list)
    #expect(!store.store.isGood(credential.token))
    #expect(store.store.isGood(owner.token))
    #expect(
      try store.read { (snapshot) throws(InventoryError) in try snapshot.invitations() } == [])
    // A token of the root list is one for everything, and stays if the root stays.
    let whole = Credential.random().credential
    try store.administer(
      .createToken(NewToken(credential: whole, name: "Sam", role: .editor, root: list)))
    try replace(in: store, by: list)
    #expect(store.store.isGood(whole.token))
  }
}
