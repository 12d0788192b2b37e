import Inventory

/// Who may make a request, told apart from what the server answers.
enum AccessRule: Sendable {
  /// Also who shows no token.
  case everybody
  /// Nobody: it is not there.
  case nobody
  /// Whoever has a good token of at least this role; what it is about is the caller's own.
  case role(Role)
  /// The same, of those who see what is named: for others it is not there, whatever their role.
  case named(Role)
  /// The same the other way round: the role is looked at before it is told what is there.
  case roleBeforeName(Role)
  /// Whoever has that role in a whole inventory, its own.
  case whole(Role)
  /// Whoever sees the root list of the inventory that the request names, if of that role.
  case fromTheTop(Role)

  /// The status of the answer.
  func status(for caller: AccessCaller, success: Int) -> Int {
    if case .everybody = self { return success }
    guard caller.reach != .none else { return 401 }
    let sees = caller.reach == .everything || caller.reach == .inside
    switch self {
    case .everybody: return success
    case .nobody: return 404
    case .role(let role): return caller.role >= role ? success : 403
    case .named(let role): return !sees ? 404 : caller.role >= role ? success : 403
    case .roleBeforeName(let role): return caller.role < role ? 403 : sees ? success : 404
    case .whole(let role):
      let isWhole = caller.reach == .everything || caller.reach == .elsewhere
      return isWhole && caller.role >= role ? success : 403
    case .fromTheTop(let role):
      return caller.reach != .everything ? 404 : caller.role >= role ? success : 403
    }
  }
}
