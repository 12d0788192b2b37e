import HTTP
import Inventory
import JSON
import Testing

@Suite("Tokens let people in, as far as they go")
struct TokenTests {
  let service: Service
  let list: Service.MadeList
  let other: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList("Here", things: ["a"])
    other = try service.makeList("There", things: ["b"])
  }

  /// Makes a token as somebody who holds one, or as the server's administrator.
  private func makeToken(
    _ role: String, list: String? = nil, as maker: Fields = Fields()
  ) throws -> Fields {
    var body: [(key: String, value: JSONValue)] = [
      (key: "name", value: "Sam"), (key: "role", value: .string(role)),
    ]
    if let list { body.append((key: "listId", value: .string(list))) }
    let maker = service.store.hasTokens && maker.count == 0 ? try administrator() : maker
    let answer = try service.send(.post, "/v1/tokens", .object(JSONObject(body)), maker)
    try #require(answer.status == 201)
    #expect(answer.fields["cache-control"] == "no-store")
    return ["Authorization": "Bearer " + (try #require(answer.text("/token")))]
  }

  /// The first token must be an administrator's here: from then on everybody needs one.
  private func administrator() throws -> Fields {
    let (credential, text) = Credential.random()
    service.store.administer(
      .createToken(NewToken(credential: credential, name: "root", role: .admin)),
      as: Caller(role: .admin, name: "test")
    ) { _ in }
    return ["Authorization": "Bearer \(text)"]
  }

  @Test func `an administrator who names an inventory sees the own token beside its tokens`() throws
  {
    let inventory = try #require(try service.get("/v1/me").text("/inventoryId"))
    var admin = try administrator()
    _ = try makeToken("owner", as: admin)
    admin.append("Rowhouse-Inventory", inventory)
    let tokens = try service.get("/v1/tokens", admin)
    #expect(tokens.texts("/tokens", "name") == ["root", "Sam"])
    let own = try #require(tokens.text("/tokens/0/id"))
    #expect(try service.send(.patch, "/v1/tokens/\(own)", ["name": "Kim"], admin).status == 200)
  }

  @Test func `from the first token on, every request needs a token`() throws {
    #expect(try service.get("/v1/lists").status == 200)
    let admin = try administrator()
    let refused = try service.get("/v1/lists")
    #expect(refused.status == 401)
    #expect(refused.code == "unauthenticated")
    #expect(refused.fields["www-authenticate"] == #"Bearer realm="rowhouse""#)
    #expect(try service.get("/v1/lists", admin).status == 200)
    for path in ["/healthz", "/readyz", "/problems", "/problems/cycle"] {
      #expect(try service.get(path).status == 200)
    }
  }

  @Test(
    arguments: [
      "Bearer", "Bearer x", "bearer rh_0_0",
      "Bearer rh_\(String(repeating: "0", count: 32))_\(String(repeating: "0", count: 64))",
    ])
  func `an invalid token is refused, also if none is needed`(value: String) throws {
    let answer = try service.get("/v1/lists", ["Authorization": value])
    #expect(answer.status == 401)
    #expect(
      answer.fields["www-authenticate"]
        == #"Bearer realm="rowhouse", error="invalid_token""#)
  }

  @Test(arguments: ["Basic YTpi", "Basic", "Digest a=b", "Bearer2 x", "x"])
  func `what a proxy was shown is nothing to a server that wants no token`(value: String) throws {
    let fields: Fields = ["Authorization": value]
    #expect(try service.get("/v1/lists", fields).status == 200)
    #expect(try service.send(.post, "/v1/lists", ["title": "x"], fields).status == 201)
    _ = try administrator()
    let answer = try service.get("/v1/lists", fields)
    #expect(answer.status == 401)
    #expect(answer.fields["www-authenticate"]?.contains("invalid_token") == true)
    let open = try Service(store: service.store) { $0.isOpen = true }
    #expect(try open.get("/v1/lists", fields).status == 200)
  }

  @Test(arguments: ["Bearer TOKEN", "bearer TOKEN", "BEARER   TOKEN"])
  func `the scheme may be in any letter case`(value: String) throws {
    let token = try #require(try administrator()["authorization"]?.split(separator: " ").last)
    let field = value.replacing("TOKEN", with: token)
    #expect(try service.get("/v1/lists", ["Authorization": field]).status == 200)
    for wrong in ["\(field) x", field.replacing(" ", with: ""), "x\(field)", "Basic \(token)"] {
      #expect(try service.get("/v1/lists", ["Authorization": wrong]).status == 401)
    }
  }

  @Test func `two Authorization fields are refused`() throws {
    var fields = try administrator()
    fields.append("Authorization", "Bearer x")
    #expect(try service.get("/v1/lists", fields).status == 400)
  }

  @Test func `without a token no body is waited for`() throws {
    _ = try administrator()
    #expect(try service.send(.post, "/v1/lists", ["title": "x"]).status == 401)
    #expect(try service.send(.post, "/v1/lists", text: "nonsense").status == 401)
    #expect(try service.send(.post, "/v1/nowhere", text: "nonsense").status == 404)
  }

  @Test func `a token can read its own role and name`() throws {
    let editor = try makeToken("editor", list: list.id)
    let me = try service.get("/v1/me", editor)
    #expect(me["/role"] == "editor")
    #expect(me["/name"] == "Sam")
    #expect(me["/rootListId"] == .string(list.id))
    #expect(me["/inventoryId"] == .string(service.store.inventoryID.description))
  }

  @Test func `a partner with a list's token sees that list alone`() throws {
    let owner = try makeToken("owner")
    let partner = try makeToken("editor", list: list.id, as: owner)
    #expect(try service.get("/v1/lists/root", partner)["/id"] == .string(list.id))
    #expect(try service.get(other.path, partner).status == 404)
    #expect(try service.get("/v1/tokens", partner).code == "role_forbids")
    let made = try service.send(.post, "/v1/lists/root/items", ["name": "c"], partner)
    #expect(made.status == 201)
  }

  @Test func `no caller can create a token above its own role or list`() throws {
    let owner = try makeToken("owner", list: list.id)
    func attempt(_ role: String, _ list: JSONValue = .null) throws -> Answer {
      try service.send(
        .post, "/v1/tokens", ["name": "x", "role": .string(role), "listId": list], owner)
    }
    #expect(try attempt("admin").code == "role_forbids")
    #expect(try attempt("reader", .string(other.id)).status == 404)
    let made = try attempt("owner")
    #expect(made.status == 201)
    #expect(made["/listId"] == .string(list.id))
    #expect(try attempt("owner", "root")["/listId"] == .string(list.id))
  }

  @Test func `an owner sees and revokes what is at or below its own list`() throws {
    let whole = try makeToken("owner")
    let part = try makeToken("owner", list: list.id, as: whole)
    let beside = try makeToken("reader", list: other.id, as: whole)
    #expect(try service.get("/v1/tokens", whole)["/count"] == 3)
    let seen = try service.get("/v1/tokens", part)
    #expect(seen["/count"] == 1)
    #expect(seen["/tokens/0/listId"] == .string(list.id))
    #expect(seen["/tokens/0/token"] == nil)

    let id = try #require(try service.get("/v1/me", beside).text("/tokenId"))
    #expect(try service.send(.delete, "/v1/tokens/\(id)", fields: part).status == 404)
    #expect(try service.get("/v1/tokens/\(id)", part).status == 404)
    #expect(try service.get("/v1/tokens/\(id)", whole)["/role"] == "reader")
    #expect(try service.send(.delete, "/v1/tokens/\(id)", fields: whole).status == 204)
    #expect(try service.get("/v1/lists", beside).status == 401)
    #expect(try service.send(.delete, "/v1/tokens/\(id)", fields: whole).status == 404)
  }

  @Test(arguments: ["reader", "editor"])
  func `every token may revoke itself, and no other`(role: String) throws {
    let owner = try makeToken("owner")
    let own = try makeToken(role, as: owner)
    let other = try makeToken(role, list: list.id, as: owner)
    func revoke(_ token: Fields) throws -> Int {
      let id = try #require(try service.get("/v1/me", token).text("/tokenId"))
      return try service.send(.delete, "/v1/tokens/\(id)", fields: own).status
    }
    #expect(try revoke(other) == 403)
    #expect(try revoke(own) == 204)
    #expect(try service.get("/v1/me", own).status == 401)
    #expect(try service.get("/v1/me", other).status == 200)
  }

  @Test func `a stream ends with the token that opened it`() throws {
    let owner = try makeToken("owner")
    let reader = try makeToken("reader", as: owner)
    let stream = try service.follow("/v1/events", reader)
    #expect(stream.events().isEmpty)
    let id = try #require(try service.get("/v1/me", reader).text("/tokenId"))
    #expect(try service.send(.delete, "/v1/tokens/\(id)", fields: owner).status == 204)
    #expect(stream.events().map(\.event) == ["gone"])
  }

  @Test func `a token needs a name and a role`() throws {
    let answer = try service.send(.post, "/v1/tokens", ["role": "king"])
    #expect(answer.status == 422)
    #expect(Set(answer.texts("/errors", "pointer")) == ["/name", "/role"])
    #expect(
      try service.send(
        .post, "/v1/tokens", ["name": "x", "role": "admin", "listId": .string(list.id)]
      ).status == 422)
  }

  @Test func `a field chooses the inventory where no token does`() throws {
    let id = service.store.inventoryID.description
    #expect(try service.get("/v1/lists", ["Rowhouse-Inventory": id]).status == 200)
    #expect(try service.get("/v1/lists", ["Rowhouse-Inventory": "x"]).status == 400)
    let foreign = InventoryID(.version7()).description
    #expect(try service.get("/v1/lists", ["Rowhouse-Inventory": foreign]).status == 404)
    var owner = try makeToken("owner")
    owner.append("Rowhouse-Inventory", foreign)
    #expect(try service.get("/v1/lists", owner).status == 404)
  }
}
