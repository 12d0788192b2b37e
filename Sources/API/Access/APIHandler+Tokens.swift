import FoundationEssentials
import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/me`
  func whoAmI(_ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      let caller = exchange.caller
      let home = try snapshot.home(of: caller)
      var writer = JSONWriter(capacity: 256)
      writer.beginObject()
      writer.key("role")
      writer.string("\(caller.role)")
      writer.key("inventoryId")
      writer.id(home.inventory)
      writer.key("rootListId")
      writer.id(home.root)
      writer.key("name")
      writer.string(caller.name)
      writer.key("tokenId")
      writer.id(caller.token)
      writer.endObject()
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `GET /v1/tokens`
  func tokens(_ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let tokens = try snapshot.tokens(for: exchange.caller)
      var writer = JSONWriter(capacity: 256 + 256 * tokens.count)
      writer.beginObject()
      writer.key("count")
      writer.int(tokens.count)
      writer.key("tokens")
      writer.beginArray()
      for token in tokens { writer.token(token) }
      writer.endArray()
      writer.endObject()
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `GET /v1/tokens/{tokenId}`
  func token(_ id: TokenID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.long, exchange) { (snapshot) throws(InventoryError) in
      let tokens = try snapshot.tokens(for: exchange.caller)
      guard let token = tokens.first(where: { $0.id == id }) else { throw .notFound(.token) }
      var writer = JSONWriter(capacity: 256)
      writer.token(token)
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `POST /v1/tokens`: the only answer that ever holds the token itself.
  func createToken(_ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    _ = try exchange.query(faults)
    let members = Members(try exchange.body(), known: ["name", "role", "listId"], faults)
    let name = members.text("name").map(TextRules.trimmed)
    if members["name"] == nil { members.note("name", "Enter a name: who uses the token.") }
    let role: RoleName? = members.choice("role")
    if members["role"] == nil { members.note("role", "Choose a role: \(RoleName.all).") }
    let list = members.list("listId")
    try faults.check()
    guard let name, let role else { throw .invalid(faults.all) }
    let (credential, text) = Credential.random()
    var new = NewToken(credential: credential, name: name, role: role.role)
    if case .id(let id) = list { new.root = id }
    return administer(.createToken(new), exchange) { outcome in
      guard case .token(let token) = outcome else { return exchange.audience.empty() }
      var writer = JSONWriter(capacity: 512)
      writer.token(token, text: text)
      var response = exchange.audience.secret(201, json: writer.finish())
      response.fields.append("Location", exchange.audience.base.path("/v1/tokens/\(token.id)"))
      return response
    }
  }

  /// `DELETE /v1/tokens/{tokenId}`
  func revokeToken(_ id: TokenID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return administer(.revokeToken(id), exchange) { _ in exchange.audience.empty() }
  }

  /// Makes an administrative write and answers it.
  func administer(
    _ action: Administration, _ exchange: Exchange,
    _ answer: @escaping @Sendable (Administration.Outcome) -> Response
  ) -> Reply {
    store.administer(action, as: exchange.caller) { result in
      switch result {
      case .success(let outcome): exchange.responder.send(answer(outcome))
      case .failure(let error):
        exchange.responder.send(exchange.audience.response(exchange.problem(error)))
      }
    }
    return .deferred
  }
}

/// Roles as the contract names them.
private enum RoleName: String, CaseIterable {
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
  /// - Parameter text: the token as its holder shows it, in the one answer that has it.
  fileprivate mutating func token(_ token: Token, text: String? = nil) {
    beginObject()
    key("id")
    id(token.id)
    if let text {
      key("token")
      string(text)
    }
    key("name")
    string(token.name)
    key("role")
    string("\(token.role)")
    key("inventoryId")
    id(token.inventory)
    key("listId")
    id(token.root)
    key("createdAt")
    time(token.createdAt)
    endObject()
  }
}
