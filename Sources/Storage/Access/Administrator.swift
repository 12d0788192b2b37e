import FoundationEssentials
import Inventory
import SQL

/// Runs one administrative write inside the writer's transaction.
struct Administrator {
  let db: Connection
  let access: Access
  let now: Timestamp

  init(_ caller: Caller, in db: Connection, now: Timestamp) throws(StorageError) {
    self.db = db
    self.now = now
    try TokenTable(db: db).requireGrant(of: caller, now: now)
    access = try Access(caller, in: db)
  }

  private init(_ access: Access, now: Timestamp) {
    db = access.db
    self.access = access
    self.now = now
  }

  private var caller: Caller { access.caller }

  func run(_ action: Administration) throws(StorageError) -> Administration.Outcome {
    guard action.isPermitted(to: caller) else {
      throw .refused(.roleForbids(needed: action.role))
    }
    switch action {
    case .createToken(let new):
      return .token(
        try create(new, limit: Self.share(of: Limits.tokens, for: caller.root)))
    case .renameToken(let id, let name): return .token(try rename(id, name))
    case .createInvitation(let new): return .invitation(try invite(new))
    case .acceptInvitation(let acceptance): return .token(try accept(acceptance))
    case .revokeToken(let id):
      _ = try visible(id)
      try TokenTable(db: db).remove(id)
      if caller.role < .admin { try TokenTable(db: db).stayClosed() }
      return .removed
    case .withdrawInvitation(let id):
      let found = try InvitationTable(db: db).visible(to: access).first { $0.id == id }
      guard let found else { throw .refused(.notFound(.invitation)) }
      try InvitationTable(db: db).remove(found.code)
      return .removed
    case .createInventory(let id, let title, let depthLimit):
      return .inventory(try createInventory(id, title: title, depthLimit))
    }
  }

  /// The number in the whole inventory from which on the caller can create no more. The owners of lists leave half of
  /// the limit to the owner of the inventory.
  private static func share(of limit: Int, for root: ListID?) -> Int {
    root == nil ? limit : limit / 2
  }

  private func visible(_ id: TokenID) throws(StorageError) -> Token {
    let found = try TokenTable(db: db).visible(to: access).first { $0.id == id }
    guard let found else { throw .refused(.notFound(.token)) }
    return found
  }

  /// - Parameter limit: the most tokens of the inventory.
  private func create(_ new: NewToken, limit: Int) throws(StorageError) -> Token {
    var errors: [FieldError] = []
    errors.check(new.name, ["name"], 1...Limits.shortText)
    if new.role < .admin, try TokenTable(db: db).count(of: try access.inventoryID()) >= limit {
      errors.append(
        FieldError([], "The inventory already has \(limit) tokens. Revoke one first."))
    }
    let scope = try scope(new.role, new.root, new.expiresAt, errors)
    let token = Token(
      id: new.credential.token, name: new.name, role: new.role, inventory: scope.inventory,
      root: scope.root, createdAt: now, expiresAt: scope.expiresAt)
    try TokenTable(db: db).insert(token, digest: new.credential.digest)
    return token
  }

  /// The scope and the expiry of a token that the caller wants to create.
  ///
  /// - Parameter errors: those found before.
  /// - Throws: all errors together.
  private func scope(
    _ role: Role, _ list: ListID?, _ expiresAt: Timestamp?, _ errors: [FieldError]
  ) throws(StorageError) -> (inventory: InventoryID?, root: ListID?, expiresAt: Timestamp?) {
    guard role <= caller.role else { throw .refused(.roleForbids(needed: role)) }
    var errors = errors
    if role == .admin, list != nil {
      errors.append(FieldError(["listId"], "An administrator's token is for the whole server."))
    }
    let expiry = NewToken.expiry(
      expiresAt, limit: try TokenTable(db: db).expiry(of: caller), now: now, &errors)
    guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    if let list { _ = try access.list(.id(list)) }
    guard role < .admin else { return (nil, nil, expiry) }
    return (try access.inventoryID(), list ?? caller.root, expiry)
  }

  private func rename(_ id: TokenID, _ name: String) throws(StorageError) -> Token {
    var token = try visible(id)
    var errors: [FieldError] = []
    errors.check(name, ["name"], 1...Limits.shortText)
    guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    try TokenTable(db: db).setName(of: id, to: name)
    token.name = name
    return token
  }

  private func invite(_ new: NewInvitation) throws(StorageError) -> Invitation {
    let table = InvitationTable(db: db)
    var errors: [FieldError] = []
    errors.check(new.name, ["name"], Limits.invitedName)
    let scope = try scope(new.role, new.root, new.expiresAt, errors)
    guard try !TokenTable(db: db).isEmpty else { throw .refused(.serverOpen) }
    try table.removeExpired(at: now, atMost: Limits.invitations)
    let limit = Self.share(of: Limits.invitations, for: caller.root)
    guard try table.count(of: scope.inventory) < limit else {
      throw .refused(.invalid([NewInvitation.tooMany(limit)]))
    }
    let invitation = Invitation(
      code: new.code, name: new.name, role: new.role, inventory: scope.inventory,
      root: scope.root, maker: caller.token,
      acceptBy: Invitation.end(from: now, expiresAt: scope.expiresAt), expiresAt: scope.expiresAt)
    try table.insert(invitation)
    return invitation
  }

  private func accept(_ acceptance: Acceptance) throws(StorageError) -> Token {
    guard let invitation = try InvitationTable(db: db).take(acceptance.code),
      invitation.acceptBy > now, try !TokenTable(db: db).isEmpty
    else { throw .refused(.invitationInvalid) }
    let errors = acceptance.fieldErrors(for: invitation)
    guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    let (access, makersRoot) = try invitation.access(in: db, now: now)
    return try Administrator(access, now: now).create(
      NewToken(
        credential: acceptance.credential,
        name: invitation.tokenName(for: acceptance.deviceName) ?? "", role: invitation.role,
        expiresAt: invitation.expiresAt),
      limit: Self.share(of: Limits.tokens, for: makersRoot))
  }

  private func createInventory(
    _ id: InventoryID, title: String, _ depthLimit: DepthLimit?
  ) throws(StorageError) -> InventoryDescription {
    var errors = ListDetails(title: title).fieldErrors
    // The id of what belongs to no inventory.
    if id.uuid == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) {
      errors.append(FieldError(["id"], "The id must not be all zeros."))
    }
    guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    let taken = try db.sql("SELECT 1 FROM inventory WHERE id = ?1").bind(id).one { _ in true }
    guard taken == nil else { throw .refused(.idTaken(RowID(id.uuid))) }
    let root = ListID(.version7())
    try EmptyInventory.make(id, root: root, title: title, depthLimit, in: db, now: now)
    return InventoryDescription(
      id: id, rootListID: root, title: title, revision: Revision(0), createdAt: now,
      depthLimit: depthLimit)
  }
}

extension Invitation {
  /// What the future token reaches, and the list of the maker's token.
  ///
  /// - Throws: `invitationInvalid` if the maker's token has expired, or the list is in the trash or out of the maker's
  ///   sight.
  func access(
    in db: Connection, now: Timestamp
  ) throws(StorageError) -> (Access, makersRoot: ListID?) {
    do throws(StorageError) {
      let makersRoot = try maker.flatMap { (maker) throws(StorageError) in
        try TokenTable(db: db).root(of: maker)
      }
      try TokenTable(db: db).requireGrant(of: giver, now: now)
      let access = try Access(giver, in: db)
      if let makersRoot, let root {
        // The list may have left the list that the maker sees.
        var maker = giver
        maker.root = makersRoot
        _ = try Access(maker, in: db).list(.id(root))
      }
      return (access, makersRoot)
    } catch {
      switch error {
      case .refused(.tokenRevoked), .refused(.notFound): throw .refused(.invitationInvalid)
      default: throw error
      }
    }
  }
}
