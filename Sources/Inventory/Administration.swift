/// An inventory as those see it who may choose among them.
package struct InventoryDescription: Sendable, Equatable {
  package let id: InventoryID
  package var rootListID: ListID
  package var title: String
  package var revision: Revision
  package var createdAt: Timestamp
  package var details: InventoryDetails

  package init(
    id: InventoryID, rootListID: ListID, title: String, revision: Revision, createdAt: Timestamp,
    details: InventoryDetails = InventoryDetails()
  ) {
    self.id = id
    self.rootListID = rootListID
    self.title = title
    self.revision = revision
    self.createdAt = createdAt
    self.details = details
  }
}

/// A token to be made.
package struct NewToken: Sendable {
  package var credential: Credential
  package var name: String
  package var role: Role
  /// The list that its holder is to see as `root`; nil: what the maker sees as such.
  package var root: ListID?

  package init(credential: Credential, name: String, role: Role, root: ListID? = nil) {
    self.credential = credential
    self.name = name
    self.role = role
    self.root = root
  }
}

/// A write that is no change of rows: it takes no revision and stays out of the log.
package enum Administration: Sendable {
  /// In the caller's inventory, never above the caller's own role or list; an administrator's token is
  /// for the whole server.
  case createToken(NewToken)
  case revokeToken(TokenID)
  /// With an empty root list of this title.
  case createInventory(id: InventoryID, title: String, InventoryDetails)

  /// What it comes to.
  package enum Outcome: Sendable, Equatable {
    case token(Token)
    case revoked
    case inventory(InventoryDescription)
  }

  /// The least role that it takes.
  package var role: Role {
    switch self {
    case .createToken, .revokeToken: .owner
    case .createInventory: .admin
    }
  }
}
