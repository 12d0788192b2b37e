import HTTP
import Inventory

extension APIHandler {
  /// The caller that the request's token (RFC 6750 §2.1) or its connection authenticates.
  ///
  /// - Throws: 401 if the token is missing or invalid; 400 for a malformed `Rowhouse-Inventory`; 404 for an inventory
  ///   that is not the token's.
  func caller(of head: RequestHead, _ route: Route) throws(Problem) -> Caller {
    guard !route.isPublic else { return configuration.defaultCaller }
    do throws(Problem) { return try authenticatedCaller(of: head) } catch {
      // A test suite that has created a token must be able to return to a state without tokens.
      guard error.code == .unauthenticated, route.template.hasPrefix("/v1/test/"),
        configuration.letsTestsIn
      else { throw error }
      return configuration.defaultCaller
    }
  }

  private func authenticatedCaller(of head: RequestHead) throws(Problem) -> Caller {
    var caller = try tokenHolder(head)
    guard let text = head.fields["rowhouse-inventory"] else { return caller }
    guard let inventory = InventoryID(text: text) else {
      throw Problem(.malformedHeader, "Send an inventory's id in Rowhouse-Inventory, a UUID.")
    }
    guard caller.inventory == nil || caller.inventory == inventory else {
      throw Problem(InventoryError.notFound(.inventory))
    }
    caller.inventory = inventory
    return caller
  }

  private func tokenHolder(_ head: RequestHead) throws(Problem) -> Caller {
    let shown = head.fields.withValue("authorization", Shown.init)
    let isOpen = !configuration.demandsTokens && (!store.hasTokens || configuration.isOpen)
    // An open server ignores credentials of other schemes, which a proxy may have required and passed on.
    guard let shown, !(isOpen && shown.isForeign) else {
      if let peer = head.peer, peer.listener == configuration.administratorsListener {
        return Caller(role: .admin, name: "administrator", grant: .unconditional)
      }
      guard isOpen else { throw .missingToken }
      var caller = configuration.defaultCaller
      if !configuration.isOpen { caller.grant = .openServer }
      return caller
    }
    guard case .bearer(let credential) = shown else {
      throw .unauthenticated("Send Authorization: Bearer and a token.", isWrong: true)
    }
    // The error is the same for every cause, so that an attacker does not learn the cause.
    guard let credential, let caller = store.caller(showing: credential) else {
      throw .badToken
    }
    return caller
  }
}

/// The value of an `Authorization` field (RFC 9110 §11.4).
private enum Shown {
  /// Bearer with a token. Nil if it does not have this server's format.
  case bearer(Credential?)
  /// Bearer without exactly one token.
  case malformed
  /// Another scheme.
  case foreign

  var isForeign: Bool { if case .foreign = self { true } else { false } }

  init(_ value: UnsafeBufferPointer<UInt8>) {
    let space = UInt8(ascii: " ")
    let scheme = value.prefix { $0 != space }
    let token = value[scheme.endIndex...].drop { $0 == space }
    guard scheme.count == 6, zip(scheme, "bearer".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
      self = .foreign
      return
    }
    guard !token.isEmpty, !token.contains(space) else {
      self = .malformed
      return
    }
    self = .bearer(Credential(utf8: UnsafeBufferPointer(rebasing: token)))
  }
}

extension Problem {
  static let badToken = unauthenticated(
    "The token is unknown, has expired or has been revoked.", isWrong: true)
  static let missingToken = unauthenticated(
    "Send a token: Authorization: Bearer rh_…")

  fileprivate static func unauthenticated(_ detail: String, isWrong: Bool = false) -> Problem {
    var problem = Problem(.unauthenticated, detail)
    // Without credentials in the request, the challenge has no error code (RFC 6750 §3).
    problem.challenge =
      isWrong ? #"Bearer realm="rowhouse", error="invalid_token""# : #"Bearer realm="rowhouse""#
    return problem
  }
}
