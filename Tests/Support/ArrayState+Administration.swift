import FoundationEssentials
import Inventory

extension ArrayState {
  /// Tokens alone: there is one inventory here.
  mutating func administer(
    _ action: Administration, as caller: Caller, at now: Timestamp
  ) throws(InventoryError) -> Administration.Outcome {
    try requireGrant(of: caller, at: now)
    try requireRoot(of: caller)
    guard action.isPermitted(to: caller) else { throw .roleForbids(needed: action.role) }
    switch action {
    case .createToken(let new): return .token(try create(new, as: caller, at: now))
    case .renameToken(let id, let name):
      guard visibleTokens(to: caller).contains(where: { $0.id == id }),
        let place = tokens.firstIndex(where: { $0.token.id == id })
      else { throw .notFound(.token) }
      var fieldErrors: [FieldError] = []
      fieldErrors.check(name, ["name"], 1...Limits.shortText)
      guard fieldErrors.isEmpty else { throw .invalid(fieldErrors) }
      tokens[place].token.name = name
      return .token(tokens[place].token)
    case .createInvitation(let new): return .invitation(try invite(new, as: caller, at: now))
    case .acceptInvitation(let acceptance): return .token(try accept(acceptance, at: now))
    case .revokeToken(let id):
      guard visibleTokens(to: caller).contains(where: { $0.id == id }) else {
        throw .notFound(.token)
      }
      tokens.removeAll { $0.token.id == id }
      invitations.removeAll { $0.maker == id }
      navigators = navigators.filter { $0.value.owner != id.description }
      if tokens.isEmpty, caller.role < .admin { hasLostTokens = true }
      return .removed
    case .withdrawInvitation(let id):
      guard let place = invitations.firstIndex(where: { $0.id == id }),
        visibleInvitations(to: caller).contains(invitations[place])
      else { throw .notFound(.invitation) }
      invitations.remove(at: place)
      return .removed
    case .createInventory:
      throw .storageFailed("arrays hold one inventory")
    }
  }

  private mutating func create(
    _ new: NewToken, as caller: Caller, at now: Timestamp
  ) throws(InventoryError) -> Token {
    var fieldErrors: [FieldError] = []
    fieldErrors.check(new.name, ["name"], 1...Limits.shortText)
    let scope = try scope(new.role, new.root, new.expiresAt, fieldErrors, of: caller, at: now)
    let token = Token(
      id: new.credential.token, name: new.name, role: new.role, inventory: scope.inventory,
      root: scope.root, createdAt: now, expiresAt: scope.expiresAt)
    tokens.append((token, new.credential.digest))
    hasLostTokens = false
    return token
  }

  private func scope(
    _ role: Role, _ list: ListID?, _ expiresAt: Timestamp?, _ errors: [FieldError],
    of caller: Caller, at now: Timestamp
  ) throws(InventoryError) -> (inventory: InventoryID?, root: ListID?, expiresAt: Timestamp?) {
    guard role <= caller.role else { throw .roleForbids(needed: role) }
    let isAdmin = role == .admin
    var fieldErrors = errors
    if isAdmin, list != nil {
      fieldErrors.append(FieldError(["listId"], "None for an administrator."))
    }
    let own = tokens.first { $0.token.id == caller.token }?.token.expiresAt
    let expiry = NewToken.expiry(expiresAt, limit: own, now: now, &fieldErrors)
    guard fieldErrors.isEmpty else { throw .invalid(fieldErrors) }
    if let list { _ = try listID(.id(list), for: caller) }
    return (isAdmin ? nil : inventoryID, isAdmin ? nil : list ?? caller.root, expiry)
  }

  private mutating func invite(
    _ new: NewInvitation, as caller: Caller, at now: Timestamp
  ) throws(InventoryError) -> Invitation {
    var fieldErrors: [FieldError] = []
    fieldErrors.check(new.name, ["name"], Limits.invitedName)
    let scope = try scope(new.role, new.root, new.expiresAt, fieldErrors, of: caller, at: now)
    guard hasTokens else { throw .serverOpen }
    invitations.removeAll { $0.acceptBy <= now }
    guard invitations.count(where: { $0.inventory == scope.inventory }) < Limits.invitations else {
      throw .invalid([NewInvitation.tooMany(Limits.invitations)])
    }
    let invitation = Invitation(
      code: new.code, name: new.name, role: new.role, inventory: scope.inventory,
      root: scope.root, maker: caller.token,
      acceptBy: Invitation.end(from: now, expiresAt: scope.expiresAt), expiresAt: scope.expiresAt)
    invitations.append(invitation)
    return invitation
  }

  private mutating func accept(
    _ acceptance: Acceptance, at now: Timestamp
  ) throws(InventoryError) -> Token {
    guard let place = invitations.firstIndex(where: { $0.code == acceptance.code }),
      invitations[place].acceptBy > now, hasTokens
    else { throw .invitationInvalid }
    let invitation = invitations[place]
    let fieldErrors = acceptance.fieldErrors(for: invitation)
    guard fieldErrors.isEmpty else { throw .invalid(fieldErrors) }
    try requireGiver(of: invitation, at: now)
    invitations.remove(at: place)
    return try create(
      NewToken(
        credential: acceptance.credential,
        name: invitation.tokenName(for: acceptance.deviceName) ?? "", role: invitation.role,
        expiresAt: invitation.expiresAt), as: invitation.giver, at: now)
  }

  func requireGiver(of invitation: Invitation, at now: Timestamp) throws(InventoryError) {
    do throws(InventoryError) {
      try requireGrant(of: invitation.giver, at: now)
      try requireRoot(of: invitation.giver)
    } catch { throw .invitationInvalid }
  }

  /// Removes the tokens of lists that are gone for good, with their navigators, and the invitations to them.
  mutating func removeTokens(ofLists isGone: (ListID) -> Bool) {
    invitations.removeAll { $0.root.map(isGone) ?? false }
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
    tokens.map(\.token).filter { $0.id == caller.token || mayRevoke($0.inventory, $0.root, caller) }
  }

  /// Those to tokens that the caller may revoke.
  func visibleInvitations(to caller: Caller) -> [Invitation] {
    invitations.filter {
      $0.maker != nil && $0.maker == caller.token || mayRevoke($0.inventory, $0.root, caller)
    }
  }

  private func mayRevoke(_ inventory: InventoryID?, _ root: ListID?, _ caller: Caller) -> Bool {
    if caller.role == .admin, caller.inventory == nil { return true }
    return inventory == inventoryID
      && chain(of: RowID(root ?? rootID)).contains(RowID(self.root(for: caller)))
  }
}
