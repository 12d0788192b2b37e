import Inventory

/// One write of a history: what, by whom and on what condition.
package struct HistoryStep: Sendable, Equatable, CustomStringConvertible {
  /// A condition, relative to the revision of what the command names.
  package enum Match: Sendable, Equatable {
    case any
    case current
    /// So many revisions back; below zero: ahead.
    case behind(Int)
    case currentOrFirst
    case nothing
  }

  package var command: NodeCommand
  package var role: String
  /// The list that the caller sees as root.
  package var root: Int?
  package var ifMatch: Match?
  package var ifNoneMatch: Match?
  package var isStrict: Bool
  package var demandsIfMatch: Bool
  /// The key under which its answer is kept.
  package var key: Int?
  /// Whether it is taken back when it has been answered.
  package var isDryRun: Bool
  /// Whether the next is sent before this one is answered.
  package var isHurried: Bool

  package init(
    _ command: NodeCommand, role: String = "owner", root: Int? = nil, ifMatch: Match? = nil,
    ifNoneMatch: Match? = nil, isStrict: Bool = false, demandsIfMatch: Bool = false,
    key: Int? = nil, isDryRun: Bool = false, isHurried: Bool = false
  ) {
    self.command = command
    self.role = role
    self.root = root
    self.ifMatch = ifMatch
    self.ifNoneMatch = ifNoneMatch
    self.isStrict = isStrict
    self.demandsIfMatch = demandsIfMatch
    self.key = key
    self.isDryRun = isDryRun
    self.isHurried = isHurried
  }

  package func caller(_ names: NodeNames) -> Caller {
    let role = Role.allCases.first { "\($0)" == self.role } ?? .owner
    return Caller(
      root: root.map(names.list), role: role, name: self.role,
      token: token)
  }

  var token: TokenID? { role == "\(Role.editor)" ? Self.editorsToken : nil }

  /// The token of the histories' editors.
  static let editorsToken = editorsCredential.token

  /// Made known to both stores before a history begins: a write by an unknown token is refused.
  static let editorsCredential = Credential.random().credential

  /// What two stores must keep alike: the answer says which write it was given to.
  package var retry: IdempotentRequest? {
    guard let key else { return nil }
    let sent = Array("\(command)".utf8)
    return IdempotentRequest(
      scope: SHA256.digest(of: Array("\(role) \(root ?? 0)".utf8)), key: String(key),
      fingerprint: SHA256.digest(of: sent)
    ) { outcome in
      Array("\(outcome.receipt.revision) \(outcome.receipt.isChanged) \(outcome.isCreated)".utf8)
    }
  }

  /// The step as an element of an array literal of a test.
  package var description: String {
    var arguments = [".\(command)"]
    if role != "owner" { arguments.append("role: \"\(role)\"") }
    if let root { arguments.append("root: \(root)") }
    if let ifMatch { arguments.append("ifMatch: .\(ifMatch)") }
    if let ifNoneMatch { arguments.append("ifNoneMatch: .\(ifNoneMatch)") }
    if isStrict { arguments.append("isStrict: true") }
    if demandsIfMatch { arguments.append("demandsIfMatch: true") }
    if let key { arguments.append("key: \(key)") }
    if isDryRun { arguments.append("isDryRun: true") }
    if isHurried { arguments.append("isHurried: true") }
    return "HistoryStep(\(arguments.joined(separator: ", ")))"
      .replacing("Support.NodePosition.", with: ".").replacing("Support.NodeListEdit.", with: ".")
      .replacing("Support.NodeItemEdit.", with: ".").replacing("Support.NodeKind.", with: ".")
      .replacing("Support.NodeNavigatorEdit.", with: ".")
      .replacing("Support.NodeScreen.", with: ".")
      .replacing("Support.NodeRecord.Content.", with: ".").replacing("Support.", with: "")
  }
}
