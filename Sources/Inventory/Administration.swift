/// An inventory, described for callers who may choose among several.
package struct InventoryDescription: Sendable, Equatable {
  package let id: InventoryID
  package var rootListID: ListID
  package var title: String
  package var revision: Revision
  package var createdAt: Timestamp
  /// Nil: only the server's limit applies.
  package var depthLimit: DepthLimit?

  package init(
    id: InventoryID, rootListID: ListID, title: String, revision: Revision, createdAt: Timestamp,
    depthLimit: DepthLimit? = nil
  ) {
    self.id = id
    self.rootListID = rootListID
    self.title = title
    self.revision = revision
    self.createdAt = createdAt
    self.depthLimit = depthLimit
  }
}

/// A token to create.
package struct NewToken: Sendable {
  package var credential: Credential
  package var name: String
  package var role: Role
  /// The list that the token's holder sees as `root`; nil: the creator's own `root`.
  package var root: ListID?
  /// Nil: the token expires with the creator's own token, or never.
  package var expiresAt: Timestamp?

  package init(
    credential: Credential, name: String, role: Role, root: ListID? = nil,
    expiresAt: Timestamp? = nil
  ) {
    self.credential = credential
    self.name = name
    self.role = role
    self.root = root
    self.expiresAt = expiresAt
  }

  /// The expiry of a new token. Adds an error if it is not in the future, or is after the expiry of the creator's
  /// token.
  ///
  /// - Parameters:
  ///   - expiresAt: the requested expiry. Nil: `limit`.
  ///   - limit: the expiry of the creator's token; nil: never.
  package static func expiry(
    _ expiresAt: Timestamp?, limit: Timestamp?, now: Timestamp, _ errors: inout [FieldError]
  ) -> Timestamp? {
    guard let expiresAt else { return limit }
    if expiresAt <= now { errors.append(FieldError(["expiresAt"], "Choose a time in the future.")) }
    if let limit, expiresAt > limit {
      errors.append(
        FieldError(["expiresAt"], "Your own token expires at \(limit). Choose no later time."))
    }
    return expiresAt
  }
}

/// A write that changes no existing rows. It takes no revision and is not logged.
package enum Administration: Sendable {
  /// Creates a token in the caller's inventory, at most with the caller's own role and list. An administrator's token
  /// is for the whole server.
  case createToken(NewToken)
  case renameToken(TokenID, to: String)
  case revokeToken(TokenID)
  /// Makes an invitation to a token that the caller could create.
  case createInvitation(NewInvitation)
  /// Removes an invitation that the caller sees.
  case withdrawInvitation(InvitationID)
  /// Creates the token of an invitation. Any caller may do this. Refused as `invitationInvalid` if the invitation is
  /// unknown, used or expired, or its creator could no longer create the token.
  case acceptInvitation(Acceptance)
  /// Creates an inventory with an empty root list of this title.
  case createInventory(id: InventoryID, title: String, depthLimit: DepthLimit? = nil)

  /// The result.
  package enum Outcome: Sendable, Equatable {
    case token(Token)
    case removed
    case invitation(Invitation)
    case inventory(InventoryDescription)
  }

  /// The lowest role that may perform the action.
  package var role: Role {
    switch self {
    case .createToken, .renameToken, .revokeToken, .createInvitation, .withdrawInvitation: .owner
    case .acceptInvitation: .reader
    case .createInventory: .admin
    }
  }

  /// Whether a caller's role permits the action. Every token may revoke itself.
  package func isPermitted(to caller: Caller) -> Bool {
    if case .revokeToken(let id) = self, id == caller.token { return true }
    return caller.role >= role
  }
}
