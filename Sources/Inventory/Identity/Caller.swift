/// The most that a caller may do, whatever a list permits.
package enum Role: Int, Comparable, Sendable, CaseIterable {
  case reader, editor, owner, admin
  package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }

  /// The permissions that the role can use.
  package var permissions: Permissions { self == .reader ? [] : .all }
}

/// The caller of a read or write: an identity within one inventory and below one list.
package struct Caller: Sendable, Hashable {
  /// The caller's inventory; nil: the server's default one.
  package var inventory: InventoryID?
  /// The list that the caller sees as `root`, with nothing above or beside it; nil: the inventory's root list.
  package var root: ListID?
  package var role: Role
  /// The name in the change log.
  package var name: String
  /// Why the caller is authorized. The reason must hold for as long as the caller is served.
  package var grant: Grant

  /// Why a caller is authorized.
  package enum Grant: Sendable, Hashable {
    /// A token, until it is revoked or expires.
    case token(TokenID)
    /// A server without tokens, until one is created.
    case openServer
    /// The administrators' socket, `--no-auth` or the command line, always.
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

  /// The caller's token; nil if none was needed.
  package var token: TokenID? {
    if case .token(let token) = grant { token } else { nil }
  }

  /// The owner of navigators and stored responses: the token, or "" for callers without one.
  package var owner: String { token?.description ?? "" }

  /// A caller of a server without tokens, or of a command on its machine.
  package static let local = Caller(role: .admin, name: "local", grant: .unconditional)
}
