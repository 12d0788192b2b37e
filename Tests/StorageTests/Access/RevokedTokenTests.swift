import FoundationEssentials
import Inventory
import Storage
import Support
import Testing

@Suite struct `A write that waits behind its token's revocation is refused` {
  let store: OpenStore
  let item: ItemID
  let sam: Caller

  init() throws {
    store = try OpenStore()
    item = try store.addThing("Globe")
    sam = try store.owner("Sam")
  }

  private func context(_ key: String? = nil) -> WriteContext {
    WriteContext(
      caller: sam, requestID: "test",
      retry: key.map {
        IdempotentRequest(
          scope: SHA256.digest(of: [1]), key: $0, fingerprint: SHA256.digest(of: [2])
        ) { _ in
          [3]
        }
      })
  }

  private func revoke() throws { try store.administer(.revokeToken(try #require(sam.token))) }

  @Test func `opens no server if it is the last and one's own`() throws {
    try store.administer(.revokeToken(try #require(sam.token)), as: sam)
    #expect(store.store.hasTokens)
    let credential = Credential.random().credential
    try store.administer(.createToken(NewToken(credential: credential, name: "Kim", role: .admin)))
    try store.administer(.revokeToken(credential.token))
    #expect(!store.store.hasTokens)
  }

  @Test func `in the same group, too`() throws {
    let store = store.store
    // Once the writer is busy with the first, the others wait and make one group.
    let answers = (0..<4).map { _ in Awaited<InventoryError?>() }
    let command = Command.appendItems(
      [NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Map"))], to: .root)
    store.submit(.recall, WriteContext(caller: .local, requestID: "test")) { _ in }
    store.administer(.revokeToken(try #require(sam.token)), as: sam) { _ in }
    store.submit(command, context()) { answers[0].fulfill($0.error) }
    store.submit(command, context("k")) { answers[1].fulfill($0.error) }
    store.administer(
      .createToken(
        NewToken(credential: Credential.random().credential, name: "Kim", role: .reader)),
      as: sam
    ) { answers[2].fulfill($0.error) }
    // Pieces are in no group with changes.
    #expect(answers[2].value == .tokenRevoked)
    store.stage(
      PhotoPiece(
        upload: UploadID(.version7()), item: item, number: 0, bytes: SampleImage.jpeg(size: 100)),
      context()
    ) { answers[3].fulfill($0.error) }
    for answer in answers where answer !== answers[2] { #expect(answer.value == .tokenRevoked) }
    let root = try self.store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.root)
    }
    #expect(root.rowCount == 1)
  }

  @Test func `so is one that waits behind the first token of an open server`() throws {
    let store = try OpenStore()
    let anybody = Caller(role: .admin, name: "anybody", grant: .openServer)
    let item = try store.addThing("Globe")
    let answers = (0..<3).map { _ in Awaited<InventoryError?>() }
    let new = NewToken(credential: Credential.random().credential, name: "Sam", role: .admin)
    let context = WriteContext(caller: anybody, requestID: "test")
    store.store.submit(.recall, WriteContext(caller: .local, requestID: "test")) { _ in }
    store.store.administer(.createToken(new), as: anybody) { _ in }
    store.store.submit(.deleteRow(RowID(item), kind: .any, isRecursive: true), context) {
      answers[0].fulfill($0.error)
    }
    store.store.administer(
      .createToken(
        NewToken(credential: Credential.random().credential, name: "Kim", role: .admin)),
      as: anybody
    ) { answers[1].fulfill($0.error) }
    #expect(answers[1].value == .tokenMissing)
    store.store.stage(
      PhotoPiece(
        upload: UploadID(.version7()), item: item, number: 0, bytes: SampleImage.jpeg(size: 100)),
      context
    ) { answers[2].fulfill($0.error) }
    for answer in answers where answer !== answers[1] { #expect(answer.value == .tokenMissing) }
    #expect(try store.titles() == ["Globe"])
    #expect(
      store.result(.finishImport(ImportID(.version7())), as: anybody) == .failure(.tokenMissing))
  }

  @Test func `its own earlier answer is not given again`() throws {
    let command = Command.appendItems(
      [NewItem(id: ItemID(.version7()), details: ItemDetails(name: "Map"))], to: .root)
    _ = try store.store.write(command, context("k")).get()
    #expect(try store.store.write(command, context("k")).get().kept?.isReplayed == true)
    try revoke()
    #expect(store.store.write(command, context("k")).error == .tokenRevoked)
  }

  @Test func `an import that it started is abandoned`() throws {
    let id = ImportID(.version7())
    try revoke()
    #expect(store.store.write(.finishImport(id), context()).error == .tokenRevoked)
    #expect(store.store.write(.abandonImport(id), context()).error == nil)
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
