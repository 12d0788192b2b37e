import Inventory

/// Which callers may make a request. Independent of the server's implementation.
enum AccessRule: Sendable {
  /// Every caller, also without a token.
  case everybody
  /// No caller: the route does not exist.
  case absent
  /// Callers with a valid token of at least this role. The request concerns the caller's own data.
  case role(Role)
  /// The same, if they can see the named resource. Others get 404, whatever their role.
  case named(Role)
  /// The same, but the role is checked before the resource is looked up.
  case roleBeforeName(Role)
  /// Callers with this role in a whole inventory, which is their own.
  case whole(Role)
  /// Callers with this role who see the root list of the inventory that the request names.
  case fromTheTop(Role)

  /// The status of the answer.
  func status(for caller: AccessCaller, success: Int) -> Int {
    if case .everybody = self { return success }
    guard caller.reach != .none else { return 401 }
    let sees = caller.reach == .everything || caller.reach == .inside
    switch self {
    case .everybody: return success
    case .absent: return 404
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
