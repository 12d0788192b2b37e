import Inventory

/// The kinds of callers, by their tokens.
enum AccessCaller: String, CaseIterable, Sendable {
  case anonymous, garbage, revoked
  case otherReader, otherEditor, otherOwner
  case reader, editor, owner
  case insideReader, insideEditor, insideOwner
  case besideReader, besideEditor, besideOwner
  case admin

  /// The part of the request's inventory that a token can see.
  enum Reach {
    /// There is no valid token.
    case none
    /// Another inventory.
    case elsewhere
    case everything
    /// The list that holds what the request names, and what is below it.
    case inside
    /// A list beside that one.
    case beside
  }

  var reach: Reach {
    switch self {
    case .anonymous, .garbage, .revoked: .none
    case .otherReader, .otherEditor, .otherOwner: .elsewhere
    case .reader, .editor, .owner, .admin: .everything
    case .insideReader, .insideEditor, .insideOwner: .inside
    case .besideReader, .besideEditor, .besideOwner: .beside
    }
  }

  var role: Role {
    switch self {
    case .anonymous, .garbage: .reader
    case .otherReader, .reader, .insideReader, .besideReader: .reader
    case .otherEditor, .editor, .insideEditor, .besideEditor: .editor
    case .revoked, .otherOwner, .owner, .insideOwner, .besideOwner: .owner
    case .admin: .admin
    }
  }
}
