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
    try store.administer(
      .createToken(NewToken(credential: credential, name: "Sam", role: .editor, root: list)))
    return store
  }

  private func make(in store: OpenStore) throws {
    try store.write(
      .createList(NewList(id: list, parent: .root, details: ListDetails(title: "Shelf"))))
  }

  private func giveUp(in store: OpenStore) throws {
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(list)))
  }

  private func tokens(in store: OpenStore) throws -> [TokenID] {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.tokens(for: .local).map(\.id)
    }
  }

  private var owner: Caller { Caller(role: .owner, name: "Kim") }

  @Test func `is listed and can be revoked until it is cleared away`() throws {
    let store = try open(sweeping: false)
    try giveUp(in: store)
    let seen = try store.read { [owner] (snapshot) throws(InventoryError) in
      try snapshot.tokens(for: owner).map(\.id)
    }
    #expect(seen == [credential.token])
    try store.administer(.revokeToken(credential.token), as: owner)
    #expect(!store.store.isGood(credential.token))
  }

  @Test func `goes with it, and lets nobody into another list with its id`() throws {
    let store = try open(sweeping: true)
    #expect(store.store.isGood(credential.token))
    try giveUp(in: store)
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
      let record = { @Sendable (id: ListID) in
        TransferRecord.list(
          TransferredList(
            id: id, holder: .nothing, details: ListDetails(title: "Root"),
            createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0)))
      }
      let id = ImportID(.version7())
      try store.write(
        .stage(
          id, .inventory,
          [NumberedRecord(line: 1, record: record(isBrought ? list : ListID(.version7())))]))
      try store.write(.finishImport(id))
      #expect(store.store.isGood(credential.token) == isBrought)
    }
  }
}
