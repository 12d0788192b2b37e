import FoundationEssentials
import Inventory

extension ArrayState {
  /// Tokens alone: there is one inventory here.
  mutating func administer(
    _ action: Administration, as caller: Caller, at now: Timestamp
  ) throws(InventoryError) -> Administration.Outcome {
    try requireGrant(of: caller, at: now)
    try requireRoot(of: caller)
    guard caller.role >= action.role else { throw .roleForbids(needed: action.role) }
    switch action {
    case .createToken(let new):
      guard new.role <= caller.role else { throw .roleForbids(needed: new.role) }
      let isAdmin = new.role == .admin
      var fieldErrors: [FieldError] = []
      if let fault = TextRules.fault(in: new.name, length: 1...Limits.shortText) {
        fieldErrors.append(FieldError(["name"], fault))
      }
      if isAdmin, new.root != nil {
        fieldErrors.append(FieldError(["listId"], "None for an administrator."))
      }
      let own = tokens.first { $0.token.id == caller.token }?.token.expiresAt
      let expiresAt = new.expiry(limit: own, now: now, &fieldErrors)
      guard fieldErrors.isEmpty else { throw .invalid(fieldErrors) }
      if let root = new.root { _ = try listID(.id(root), for: caller) }
      let token = Token(
        id: new.credential.token, name: new.name, role: new.role,
        inventory: isAdmin ? nil : inventoryID, root: isAdmin ? nil : new.root ?? caller.root,
        createdAt: now, expiresAt: expiresAt)
      tokens.append((token, new.credential.digest))
      hasLostTokens = false
      return .token(token)
    case .revokeToken(let id):
      guard visibleTokens(to: caller).contains(where: { $0.id == id }) else {
        throw .notFound(.token)
      }
      tokens.removeAll { $0.token.id == id }
      navigators = navigators.filter { $0.value.owner != id.description }
      if tokens.isEmpty, caller.role < .admin { hasLostTokens = true }
      return .revoked
    case .createInventory:
      throw .storageFailed("arrays hold one inventory")
    }
  }

  /// Removes the tokens of lists that are gone for good, with their navigators.
  mutating func removeTokens(ofLists isGone: (ListID) -> Bool) {
    for token in tokens.map(\.token) where token.root.map(isGone) ?? false {
      tokens.removeAll { $0.token.id == token.id }
      navigators = navigators.filter { $0.value.owner != token.id.description }
      hasLostTokens = tokens.isEmpty
    }
  }

  /// Whether who has no token is refused.
  var hasTokens: Bool { !tokens.isEmpty || hasLostTokens }

  func requireGrant(of caller: Caller, at now: Timestamp) throws(InventoryError) {
    switch caller.grant {
    case .token(let token):
      guard tokens.contains(where: { $0.token.id == token && !$0.token.hasExpired(at: now) })
      else { throw .tokenRevoked }
    case .openServer: guard !hasTokens else { throw .tokenMissing }
    case .unconditional: break
    }
  }

  var description: InventoryDescription {
    let root = self[rootID]
    return InventoryDescription(
      id: inventoryID, rootListID: rootID, title: root.details.title, revision: revision,
      createdAt: createdAt, depthLimit: depthLimit)
  }

  /// Those that the caller may revoke.
  func visibleTokens(to caller: Caller) -> [Token] {
    let all = tokens.map(\.token)
    if caller.role == .admin, caller.inventory == nil { return all }
    let top = RowID(root(for: caller))
    return all.filter { token in
      token.inventory == inventoryID && chain(of: RowID(token.root ?? rootID)).contains(top)
    }
  }
}
