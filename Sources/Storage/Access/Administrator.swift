import FoundationEssentials
import Inventory
import SQLite

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

  private var caller: Caller { access.caller }

  func run(_ action: Administration) throws(StorageError) -> Administration.Outcome {
    guard caller.role >= action.role else { throw .refused(.roleForbids(needed: action.role)) }
    switch action {
    case .createToken(let new): return .token(try create(new))
    case .revokeToken(let id):
      let visible = try TokenTable(db: db).visible(to: access)
      guard visible.contains(where: { $0.id == id }) else { throw .refused(.notFound(.token)) }
      try TokenTable(db: db).remove(id)
      if caller.role < .admin { try TokenTable(db: db).stayClosed() }
      return .revoked
    case .createInventory(let id, let title, let depthLimit):
      return .inventory(try createInventory(id, title: title, depthLimit))
    }
  }

  private func create(_ new: NewToken) throws(StorageError) -> Token {
    guard new.role <= caller.role else { throw .refused(.roleForbids(needed: new.role)) }
    var errors: [FieldError] = []
    if let problem = TextRules.fault(in: new.name, length: 1...Limits.shortText) {
      errors.append(FieldError(["name"], problem))
    }
    if new.role == .admin, new.root != nil {
      errors.append(FieldError(["listId"], "An administrator's token is for the whole server."))
    }
    let isAdmin = new.role == .admin
    // The owners of lists leave as many to the owner of the inventory.
    let limit = caller.root == nil ? Limits.tokens : Limits.tokens / 2
    if !isAdmin, try TokenTable(db: db).count(of: try access.inventoryID()) >= limit {
      errors.append(
        FieldError([], "The inventory already has \(limit) tokens. Revoke one first."))
    }
    let expiresAt = new.expiry(
      limit: try TokenTable(db: db).expiry(of: caller), now: now, &errors)
    guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    if let root = new.root { _ = try access.list(.id(root)) }
    let token = Token(
      id: new.credential.token, name: new.name, role: new.role,
      inventory: isAdmin ? nil : try access.inventoryID(),
      root: isAdmin ? nil : new.root ?? caller.root, createdAt: now,
      expiresAt: expiresAt)
    try TokenTable(db: db).insert(token, digest: new.credential.digest)
    return token
  }

  private func createInventory(
    _ id: InventoryID, title: String, _ depthLimit: DepthLimit?
  ) throws(StorageError) -> InventoryDescription {
    let errors = ListDetails(title: title).fieldErrors
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
