import FoundationEssentials
import HTTP
import Inventory
import JSON

extension Route {
  static let access = [
    Route(.get, "/v1/me", APIHandler.whoAmI),
    Route(.get, "/v1/tokens", APIHandler.tokens),
    Route(.post, "/v1/tokens", body: .required, isUnconditional: true, APIHandler.createToken),
    Route(.get, "/v1/tokens/{tokenId}", APIHandler.token),
    Route(
      .patch, "/v1/tokens/{tokenId}", body: .required, isUnconditional: true,
      APIHandler.renameToken),
    Route(.delete, "/v1/tokens/{tokenId}", isUnconditional: true, APIHandler.revokeToken),
  ]
}

extension APIHandler {
  /// `GET /v1/me`
  func whoAmI(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let home = try snapshot.home()
      return request.context.object { $0.callerMembers(request.caller, home) }
    }
  }

  /// `GET /v1/tokens`
  func tokens(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.long, request) { [store] (snapshot) throws(InventoryError) in
      let tokens = try snapshot.tokens()
      return request.context.response(capacity: 256 + 256 * tokens.count) {
        $0.collection("tokens", tokens) { $0.tokenMembers($1, lastUse: store.lastUse(of: $1.id)) }
      }
    }
  }

  /// `GET /v1/tokens/{tokenId}`
  func token(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.long, request) { [store] (snapshot) throws(InventoryError) in
      let tokens = try snapshot.tokens()
      guard let token = tokens.first(where: { $0.id == request.path.token }) else {
        throw .notFound(.token)
      }
      return request.context.object {
        $0.tokenMembers(token, lastUse: store.lastUse(of: token.id))
      }
    }
  }

  /// `POST /v1/tokens`: no other response contains the token's secret.
  func createToken(_ request: RequestContext) throws(Problem) -> Reply {
    let (credential, text) = Credential.random()
    let new = try request.input(["name", "role", "listId", "expiresAt"]) {
      _, members -> NewToken? in
      let name = members.text("name", missing: "Enter a name: who uses the token.")
        .map(TextRules.trimmed)
      let role: RoleName? = members.choice("role", missing: "Choose a role: \(RoleName.all).")
      let list = members.list("listId")
      let expiresAt = members.time("expiresAt")
      guard let name, let role else { return nil }
      var new = NewToken(
        credential: credential, name: name, role: role.role, expiresAt: expiresAt)
      if case .id(let id) = list { new.root = id }
      return new
    }
    return administer(.createToken(new), request) { request.context.created($0, text) }
  }

  /// `PATCH /v1/tokens/{tokenId}`
  func renameToken(_ request: RequestContext) throws(Problem) -> Reply {
    let name = try request.input(["name"], readOnly: Token.readOnly) { _, members in
      members.text("name", missing: "Enter a name: who uses the token.").map(TextRules.trimmed)
    }
    return administer(.renameToken(request.path.token, to: name), request) { [store] outcome in
      guard case .token(let token) = outcome else { return request.context.empty() }
      return request.context.object { $0.tokenMembers(token, lastUse: store.lastUse(of: token.id)) }
    }
  }

  /// `DELETE /v1/tokens/{tokenId}`
  func revokeToken(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return administer(.revokeToken(request.path.token), request) { _ in request.context.empty() }
  }

  /// Performs an administrative write and sends its response.
  func administer(
    _ action: Administration, _ request: RequestContext,
    _ answer: @escaping @Sendable (Administration.Outcome) -> Response
  ) -> Reply {
    store.administer(action, as: request.caller) { result in
      request.send(request.response(to: result, answer))
    }
    return .later
  }
}

extension Token {
  fileprivate static let readOnly = [
    "id", "role", "inventoryId", "listId", "createdAt", "expiresAt", "lastUsedAt",
  ]
}

extension ResponseContext {
  /// The response that creates a token.
  ///
  /// - Parameter text: the whole token with its secret.
  func created(_ outcome: Administration.Outcome, _ text: String) -> Response {
    guard case .token(let token) = outcome else { return empty() }
    let body = JSONWriter.bytes { $0.object { $0.tokenMembers(token, lastUse: nil, text: text) } }
    var response = secret(201, json: body)
    response.fields.append("Location", base.path("/v1/tokens/\(token.id)"))
    return response
  }
}

/// Roles by their names in the API.
enum RoleName: String, CaseIterable {
  case reader, editor, owner, admin

  static var all: String { allCases.map(\.rawValue).joined(separator: ", ") }

  var role: Role {
    switch self {
    case .reader: .reader
    case .editor: .editor
    case .owner: .owner
    case .admin: .admin
    }
  }
}

extension JSONWriter {
  /// - Parameter text: the whole token with its secret, for the response that creates it.
  fileprivate mutating func tokenMembers(
    _ token: Token, lastUse: Timestamp?, text: String? = nil
  ) {
    member("id", token.id)
    if let text { member("token", text) }
    member("name", token.name)
    member("role", "\(token.role)")
    member("inventoryId", token.inventory)
    member("listId", token.root)
    member("createdAt", token.createdAt)
    member("expiresAt", token.expiresAt)
    member("lastUsedAt", lastUse)
  }
}

extension JSONWriter {
  /// Writes who the caller is: role, inventory, root list, the list of a list token, name and token id.
  mutating func callerMembers(_ caller: Caller, _ home: (inventory: InventoryID, root: ListID)) {
    member("role", "\(caller.role)")
    member("inventoryId", home.inventory)
    member("rootListId", home.root)
    member("listId", caller.root)
    member("name", caller.name)
    member("tokenId", caller.token)
    member("canProtect", caller.grant == .openServer)
  }
}
