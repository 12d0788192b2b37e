import Foundation
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `An invitation in the store` {
  private let folder: TemporaryFolder
  private let clock = SetClock()
  private let owner = Credential.random().credential
  private let list = ListID(.version7())

  init() throws { folder = try TemporaryFolder() }

  private func open(sweeping: Bool = false) throws -> OpenStore {
    let store = try OpenStore { [folder, clock] in
      $0.path = folder.database
      $0.housekeepingInterval = sweeping ? .milliseconds(1) : .seconds(86_400)
      $0.trashTime = 100
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    guard !store.store.hasTokens else { return store }
    try store.write(
      .createList(NewList(id: list, parent: .root, details: ListDetails(title: "Shelf"))))
    try store.administer(.createToken(NewToken(credential: owner, name: "Sam", role: .owner)))
    return store
  }

  private var sam: Caller { Caller(role: .owner, name: "Sam", token: owner.token) }

  private func invite(
    in store: OpenStore, _ root: ListID? = nil, as caller: Caller? = nil
  ) throws -> InvitationCode {
    let code = InvitationCode.random().code
    try store.administer(
      .createInvitation(NewInvitation(code: code, name: "Kim", role: .editor, root: root)),
      as: caller ?? sam)
    return code
  }

  @discardableResult
  private func accept(_ code: InvitationCode, in store: OpenStore) throws -> Token {
    let outcome = try store.administer(
      .acceptInvitation(
        Acceptance(
          code: code, deviceName: "Phone", credential: Credential.random().credential)))
    guard case .token(let token) = outcome else { throw InventoryError.notFound(.token) }
    return token
  }

  private func expectRefused(_ code: InvitationCode, in store: OpenStore) {
    #expect(throws: InventoryError.invitationInvalid) { try accept(code, in: store) }
  }

  @Test func `of a purged list does not close a server that needs no token`() throws {
    let store = try open()
    let code = try invite(in: store, list, as: .local)
    try store.administer(.revokeToken(owner.token))
    #expect(!store.store.hasTokens)
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(list)))
    #expect(!store.store.hasInvitation(code))
    #expect(!store.store.hasTokens)
  }

  @Test func `survives a restart, and is used up`() throws {
    let code: InvitationCode
    do { code = try invite(in: try open(), list) }
    let store = try open()
    #expect(store.store.hasInvitation(code))
    let token = try accept(code, in: store)
    #expect(token.name == "Kim (Phone)")
    #expect(token.root == list)
    #expect(token.role == .editor)
    #expect(store.store.isGood(token.id))
    #expect(!store.store.hasInvitation(code))
    expectRefused(code, in: store)
  }

  @Test func `ends no later than its maker's token`() throws {
    let store = try open()
    let credential = Credential.random().credential
    let end = Timestamp(seconds: clock.now.seconds + 60)
    try store.administer(
      .createToken(
        NewToken(credential: credential, name: "Lee", role: .owner, expiresAt: end)), as: sam)
    let code = try invite(
      in: store, as: Caller(role: .owner, name: "Lee", token: credential.token))
    #expect(store.store.hasInvitation(code))
    clock.set(end)
    #expect(!store.store.hasInvitation(code))
    expectRefused(code, in: store)
  }

  /// The owner of a list only.
  private func lee(in store: OpenStore, _ root: ListID) throws -> Caller {
    let credential = Credential.random().credential
    try store.administer(
      .createToken(NewToken(credential: credential, name: "Lee", role: .owner, root: root)), as: sam
    )
    return Caller(root: root, role: .owner, name: "Lee", token: credential.token)
  }

  @Test func `is refused once its list has left the list that its maker sees`() throws {
    let store = try open()
    let inner = ListID(.version7())
    try store.write(
      .createList(NewList(id: inner, parent: .id(list), details: ListDetails(title: "Box"))))
    let lee = try lee(in: store, list)
    let (first, second) = (
      try invite(in: store, inner, as: lee), try invite(in: store, inner, as: lee)
    )
    #expect(try accept(first, in: store).root == inner)
    try store.write(.moveRows([RowID(inner)], into: .root, .first))
    expectRefused(second, in: store)
  }

  @Test func `of a list's owner leaves half of what the inventory may have`() throws {
    let store = try open()
    let lee = try lee(in: store, list)
    for _ in 0..<Limits.invitations / 2 { _ = try invite(in: store, as: lee) }
    #expect(throws: InventoryError.self) { try invite(in: store, as: lee) }
    _ = try invite(in: store)
  }

  @Test func `of a list's owner makes no more tokens than that owner may`() throws {
    let store = try open()
    let lee = try lee(in: store, list)
    let code = try invite(in: store, as: lee)
    for number in 0..<Limits.tokens / 2 - 2 {
      try store.administer(
        .createToken(
          NewToken(credential: Credential.random().credential, name: "\(number)", role: .reader)),
        as: sam)
    }
    #expect(throws: InventoryError.self) { try accept(code, in: store) }
    #expect(try accept(try invite(in: store), in: store).role == .editor)
  }

  @Test func `keeps no code in the file`() throws {
    let (code, text) = InvitationCode.random()
    do {
      try open().administer(
        .createInvitation(NewInvitation(code: code, role: .reader)), as: sam)
    }
    let bytes = try Data(contentsOf: URL(filePath: folder.database))
    #expect(bytes.range(of: Data(code.digest)) != nil)
    let digits = Array(text.dropFirst(3).utf8)
    let secret = stride(from: 0, to: 32, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
    #expect(bytes.range(of: Data(secret)) == nil)
    #expect(bytes.range(of: Data(digits)) == nil)
  }

  @Test func `is refused while its list is in the trash, and gone when the list is`() throws {
    let store = try open()
    let code = try invite(in: store, list)
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    expectRefused(code, in: store)
    try store.write(.restore(RowID(list), into: nil, nil))
    try accept(code, in: store)
    let other = try invite(in: store, list)
    try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    try store.write(.purge(RowID(list)))
    try store.write(
      .createList(NewList(id: list, parent: .root, details: ListDetails(title: "Another"))))
    expectRefused(other, in: store)
    #expect(!store.store.hasInvitation(other))
  }

  @Test func `ends when its maker's token is revoked or expires`() throws {
    let store = try open()
    let kim = Credential.random().credential
    try store.administer(
      .createToken(
        NewToken(
          credential: kim, name: "Kim", role: .owner,
          expiresAt: Timestamp(seconds: clock.now.seconds + 60))))
    let caller = Caller(role: .owner, name: "Kim", token: kim.token)
    let (one, other) = (
      try invite(in: store, as: caller), try invite(in: store, as: sam)
    )
    clock.set(Timestamp(seconds: clock.now.seconds + 60))
    expectRefused(one, in: store)
    try store.administer(.revokeToken(owner.token))
    expectRefused(other, in: store)
    #expect(!store.store.hasInvitation(other))
  }

  @Test func `of an administrator without a token needs none`() throws {
    let store = try open()
    let code = try invite(in: store, as: .local)
    try store.administer(.revokeToken(owner.token))
    // Without tokens everybody may do everything, and the invited person must not lock others out.
    expectRefused(code, in: store)
    try store.administer(.createToken(NewToken(credential: owner, name: "Sam", role: .owner)))
    try accept(code, in: store)
  }

  @Test func `is swept after it has expired`() throws {
    let store = try open(sweeping: true)
    let (one, other) = (try invite(in: store), try invite(in: store))
    let db = try store.connection()
    #expect(try InvitationTable(db: db).all().keys.contains(one))
    clock.set(Timestamp(seconds: clock.now.seconds + 300))
    let deadline = ContinuousClock.now + .seconds(600)
    while try !InvitationTable(db: db).all().isEmpty, .now < deadline { usleep(1_000) }
    #expect(try InvitationTable(db: db).all().isEmpty)
    expectRefused(other, in: store)
  }
}
