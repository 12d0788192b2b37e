/// What a caller may do at most, whatever a list permits.
package enum Role: Int, Comparable, Sendable, CaseIterable {
  case reader, editor, owner, admin
  package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }

  /// The permissions that the role leaves of a list's own.
  package var permissions: Permissions { self == .reader ? [] : .all }
}

/// Who asks: every read and write is done as somebody, within one inventory and below one list.
package struct Caller: Sendable, Hashable {
  /// The inventory that the caller is in; nil: the server's default one.
  package var inventory: InventoryID?
  /// The list that the caller sees as `root`, and nothing above or beside it; nil: the inventory's root list.
  package var root: ListID?
  package var role: Role
  /// Who the change log names.
  package var name: String
  /// What let the caller in. It has to hold for as long as the caller is served.
  package var grant: Grant

  /// Why a caller is let in.
  package enum Grant: Sendable, Hashable {
    /// A token, which holds until it is revoked.
    case token(TokenID)
    /// A server without tokens, which holds until the server has one.
    case openServer
    /// The administrators' socket, `--no-auth` or the command line, which always hold.
    case unconditional
  }

  package init(
    inventory: InventoryID? = nil, root: ListID? = nil, role: Role, name: String, grant: Grant
  ) {
    self.inventory = inventory
    self.root = root
    self.role = role
    self.name = name
    self.grant = grant
  }

  /// The token that let the caller in; nil where none was asked for.
  package var token: TokenID? {
    if case .token(let token) = grant { token } else { nil }
  }

  /// Whom navigators and kept answers belong to: the token, or whoever needs none.
  package var owner: String { token?.description ?? "" }

  /// Whoever can reach a server that asks for no token, or runs a command on its machine.
  package static let local = Caller(role: .admin, name: "local", grant: .unconditional)
}
