import HTTP
import Inventory

/// Tells who asks, by the token that a request shows (RFC 6750 §2.1) or the way it came in.
struct Authentication: Sendable {
  let store: any Store
  let configuration: Configuration

  /// - Throws: 401 where a token is missing or not good; 400 for fields that can't be read; 404 for
  ///   an inventory that is not the token's.
  func caller(of head: RequestHead) throws(Problem) -> Caller {
    var caller = try tokenHolder(head)
    guard let text = head.fields["rowhouse-inventory"] else { return caller }
    guard let inventory = InventoryID(text: text) else {
      throw Problem(.malformedHeader, "Rowhouse-Inventory is an inventory's id, a UUID.")
    }
    guard caller.inventory == nil || caller.inventory == inventory else {
      throw Problem(InventoryError.notFound(.inventory))
    }
    caller.inventory = inventory
    return caller
  }

  private func tokenHolder(_ head: RequestHead) throws(Problem) -> Caller {
    guard let shown = head.fields.withValue("authorization", Shown.init) else {
      if let peer = head.peer, peer.listener == configuration.administratorsListener {
        return Caller(role: .admin, name: "administrator")
      }
      guard configuration.demandsTokens || (store.hasTokens && !configuration.isOpen) else {
        return configuration.defaultCaller
      }
      throw .unauthenticated("This server wants a token: Authorization: Bearer rh_…")
    }
    guard head.fields.count(of: "authorization") == 1 else {
      throw Problem(.malformedHeader, "There is more than one Authorization field.")
    }
    guard case .bearer(let credential) = shown else {
      throw .unauthenticated("Authorization is to be: Bearer and a token.", isWrong: true)
    }
    // What is wrong with it is nobody's to know.
    guard let credential, let caller = store.caller(showing: credential) else {
      throw .badToken
    }
    return caller
  }
}

/// The value of an `Authorization` field (RFC 9110 §11.4).
private enum Shown {
  /// Nil for a token that cannot be one of this server's.
  case bearer(Credential?)
  case other

  init(_ value: UnsafeBufferPointer<UInt8>) {
    let space = UInt8(ascii: " ")
    let scheme = value.prefix { $0 != space }
    let token = value[scheme.endIndex...].drop { $0 == space }
    guard scheme.count == 6, zip(scheme, "bearer".utf8).allSatisfy({ $0 | 0x20 == $1 }),
      !token.isEmpty, !token.contains(space)
    else {
      self = .other
      return
    }
    self = .bearer(Credential(utf8: UnsafeBufferPointer(rebasing: token)))
  }
}

extension Problem {
  static let badToken = unauthenticated("The token is unknown or has been revoked.", isWrong: true)

  fileprivate static func unauthenticated(_ detail: String, isWrong: Bool = false) -> Problem {
    var problem = Problem(.unauthenticated, detail)
    // RFC 6750 §3: without credentials the challenge says nothing of an error.
    problem.challenge =
      isWrong ? #"Bearer realm="rowhouse", error="invalid_token""# : #"Bearer realm="rowhouse""#
    return problem
  }
}
