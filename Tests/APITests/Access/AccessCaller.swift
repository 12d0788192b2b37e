import Inventory

/// Whoever may come to the door, by what they show there.
enum AccessCaller: String, CaseIterable, Sendable {
  case nobody, garbage, revoked
  case otherReader, otherEditor, otherOwner
  case reader, editor, owner
  case insideReader, insideEditor, insideOwner
  case besideReader, besideEditor, besideOwner
  case admin

  /// What a token reaches of the inventory that a request is about.
  enum Reach {
    /// There is no good token.
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
    case .nobody, .garbage, .revoked: .none
    case .otherReader, .otherEditor, .otherOwner: .elsewhere
    case .reader, .editor, .owner, .admin: .everything
    case .insideReader, .insideEditor, .insideOwner: .inside
    case .besideReader, .besideEditor, .besideOwner: .beside
    }
  }

  var role: Role {
    switch self {
    case .nobody, .garbage: .reader
    case .otherReader, .reader, .insideReader, .besideReader: .reader
    case .otherEditor, .editor, .insideEditor, .besideEditor: .editor
    case .revoked, .otherOwner, .owner, .insideOwner, .besideOwner: .owner
    case .admin: .admin
    }
  }
}
