import HTTP
import Inventory
import JSON
import Support
import Synchronization
import Testing

@testable import API

@Suite struct `An invitation` {
  private let service: Service
  private let list: Service.MadeList
  private let owner: Fields
  private let clock = SetClock()

  init() throws {
    let store = ArrayStore(clock: { [clock] in clock.now })
    service = try Service(store: store)
    list = try service.makeList("Shelf", things: ["Globe"])
    _ = try service.makeList("Attic", things: ["Skis"])
    let (credential, text) = Credential.random()
    store.administer(
      .createToken(NewToken(credential: credential, name: "Sam", role: .owner)),
      as: Caller(role: .admin, name: "test")
    ) { _ in }
    owner = ["Authorization": "Bearer \(text)"]
  }

  private func invite(
    _ members: [(key: String, value: JSONValue)] = [], as maker: Fields? = nil
  ) throws -> Answer {
    try service.send(
      .post, "/v1/invitations?origin=https://things.example",
      .object(JSONObject([(key: "role", value: "editor")] + members)), maker ?? owner)
  }

  private func accept(_ code: String, _ device: JSONValue = "Phone") throws -> Answer {
    try service.send(
      .post, "/v1/invitations/accept", ["code": .string(code), "deviceName": device])
  }

  @Test func `makes one token of its role and list`() throws {
    let made = try invite([(key: "listId", value: .string(list.id)), (key: "name", value: " Kim ")])
    #expect(made.status == 201)
    #expect(made.fields["cache-control"] == "no-store")
    let code = try #require(made.text("/code"))
    let link = "https://things.example/#invite=\(code)"
    #expect(made["/link"] == .string(link))
    #expect(made["/qrCode"] == .string(try #require(QRCode(link)).svg))
    #expect(made["/listId"] == .string(list.id))
    #expect(made["/name"] == "Kim")
    #expect(made["/expiresAt"] == .null)

    let accepted = try accept(code, " Phone ")
    #expect(accepted.status == 201)
    #expect(accepted.fields["cache-control"] == "no-store")
    #expect(accepted["/name"] == "Kim (Phone)")
    let id = try #require(accepted.text("/id"))
    #expect(accepted.fields["location"] == "/v1/tokens/\(id)")
    let kim: Fields = ["Authorization": "Bearer \(try #require(accepted.text("/token")))"]
    let me = try service.get("/v1/me", kim)
    #expect(me["/role"] == "editor")
    #expect(me["/listId"] == .string(list.id))
    #expect(me["/rootListId"] == .string(list.id))
    #expect(me["/canProtect"] == false)
    #expect(try service.get("/v1/tokens/\(id)", owner)["/name"] == "Kim (Phone)")
  }

  @Test func `does not repeat a name that the device has too`() throws {
    let code = try #require(try invite([(key: "name", value: "Kim's phone")]).text("/code"))
    #expect(try accept(code, "Kim's phone")["/name"] == "Kim's phone")
  }

  @Test func `is listed until it is accepted, withdrawn or expired`() throws {
    func open() throws -> Answer { try service.get("/v1/invitations", owner) }
    let made = try (0..<3).map { _ in try invite([(key: "listId", value: .string(list.id))]) }
    let ids = try made.map { try #require($0.text("/id")) }
    #expect(try Set(open().texts("/invitations", "id")) == Set(ids))
    #expect(try open()["/invitations/0/listId"] == .string(list.id))
    #expect(try !String(decoding: open().body, as: UTF8.self).contains("rh_"))

    let path = "/v1/invitations/\(ids[0])"
    #expect(try service.send(.delete, path, fields: owner).status == 204)
    #expect(try service.send(.delete, path, fields: owner).status == 404)
    #expect(try accept(try #require(made[0].text("/code"))).code == "invitation_invalid")
    #expect(try accept(try #require(made[1].text("/code"))).status == 201)
    #expect(try open().texts("/invitations", "id") == [ids[2]])
    clock.set(Timestamp(seconds: clock.now.seconds + 300))
    #expect(try open()["/count"] == 0)
  }

  @Test func `is seen and withdrawn by those who could revoke its token`() throws {
    let lee = try service.send(
      .post, "/v1/tokens", ["name": "Lee", "role": "owner", "listId": .string(list.id)], owner)
    let inner: Fields = ["Authorization": "Bearer \(try #require(lee.text("/token")))"]
    let outside = try #require(try invite().text("/id"))
    let inside = try #require(try invite(as: inner).text("/id"))
    #expect(try service.get("/v1/invitations", inner).texts("/invitations", "id") == [inside])
    #expect(try service.send(.delete, "/v1/invitations/\(outside)", fields: inner).status == 404)
    #expect(try service.send(.delete, "/v1/invitations/\(inside)", fields: owner).status == 204)
    #expect(try service.get("/v1/invitations", owner).texts("/invitations", "id") == [outside])
  }

  @Test func `says what it gives access to, and is not used up`() throws {
    let made = try invite([(key: "listId", value: .string(list.id)), (key: "name", value: "Kim")])
    let code = try #require(made.text("/code"))
    func look(_ code: String) throws -> Answer {
      try service.send(.post, "/v1/invitations/preview", ["code": .string(code)])
    }
    let shown = try look(code)
    #expect(shown.status == 200)
    #expect(shown["/title"] == "Shelf")
    #expect(shown["/role"] == "editor")
    #expect(shown["/name"] == "Kim")
    #expect(shown["/id"] == made["/id"])
    #expect(try look(try #require(try invite().text("/code")))["/title"] == "Home")
    #expect(try accept(code).status == 201)
    let unknown = "rh_" + String(repeating: "0", count: 32)
    for code in [code, unknown, "x", ""] {
      #expect(try look(code).code == "invitation_invalid")
    }
  }

  @Test func `is refused alike if it is unknown, malformed, used or expired`() throws {
    let used = try #require(try invite().text("/code"))
    #expect(try accept(used).status == 201)
    let expired = try #require(try invite().text("/code"))
    clock.set(Timestamp(seconds: clock.now.seconds + 300))
    let unknown = "rh_" + String(repeating: "0", count: 32)
    for code in [used, expired, unknown, "x", "", String(repeating: "a", count: 2_000)] {
      let answer = try accept(code)
      #expect(answer.status == 404)
      #expect(answer.code == "invitation_invalid")
      #expect(answer.text("/detail") == Problem.badInvitation.detail)
    }
    #expect(try service.get("/v1/tokens", owner)["/count"] == 2)
  }

  @Test func `can be accepted until its last second`() throws {
    let made = try invite()
    let code = try #require(made.text("/code"))
    #expect(made["/acceptBy"] == .string("\(Timestamp(seconds: clock.now.seconds + 300))"))
    clock.set(Timestamp(seconds: clock.now.seconds + 299))
    #expect(try accept(code).status == 201)
  }

  @Test func `needs a name of the person or of the device`() throws {
    let code = try #require(try invite().text("/code"))
    for name: JSONValue in [.null, "", " ", .string(String(repeating: "a", count: 96)), "a\u{1}"] {
      let answer = try accept(code, name)
      #expect(answer.status == 422)
      #expect(answer.texts("/errors", "pointer") == ["/deviceName"])
    }
    let accepted = try accept(code, .string(String(repeating: "a", count: 95)))
    #expect(accepted.status == 201)
    let named = try #require(try invite([(key: "name", value: "Kim")]).text("/code"))
    #expect(try accept(named, .null)["/name"] == "Kim")
    let long = try invite([(key: "name", value: .string(String(repeating: "a", count: 96)))])
    #expect(long.status == 422)
  }

  @Test func `goes no further than its maker`() throws {
    let inner = try service.send(
      .post, "/v1/tokens",
      [
        "name": "Lee", "role": "owner", "listId": .string(list.id),
        "expiresAt": "2999-01-01T00:00:00Z",
      ],
      owner)
    let lee: Fields = ["Authorization": "Bearer \(try #require(inner.text("/token")))"]
    let made = try invite(as: lee)
    #expect(made["/listId"] == .string(list.id))
    // No later than the maker's own token.
    #expect(made["/expiresAt"] == "2999-01-01T00:00:00Z")
    let later = try invite([(key: "expiresAt", value: "2999-01-01T00:00:01Z")], as: lee)
    #expect(later.texts("/errors", "pointer") == ["/expiresAt"])
    let other = try service.send(
      .post, "/v1/invitations", ["role": "admin"], owner)
    #expect(other.code == "role_forbids")
    let editor = try accept(try #require(made.text("/code")))
    let kim: Fields = ["Authorization": "Bearer \(try #require(editor.text("/token")))"]
    #expect(try invite(as: kim).code == "role_forbids")
  }

  @Test func `ends with its maker's token`() throws {
    let lee = try service.send(.post, "/v1/tokens", ["name": "Lee", "role": "owner"], owner)
    let token: Fields = ["Authorization": "Bearer \(try #require(lee.text("/token")))"]
    let code = try #require(try invite(as: token).text("/code"))
    let id = try #require(lee.text("/id"))
    #expect(try service.send(.delete, "/v1/tokens/\(id)", fields: owner).status == 204)
    #expect(try accept(code).code == "invitation_invalid")
  }

  @Test func `is one of at most fifty that are open`() throws {
    for _ in 0..<Limits.invitations { #expect(try invite().status == 201) }
    let refused = try invite()
    #expect(refused.status == 422)
    #expect(refused.texts("/errors", "detail").first?.contains("50 invitations") == true)
    clock.set(Timestamp(seconds: clock.now.seconds + 300))
    #expect(try invite().status == 201)
  }

  @Test func `is not made by a server without tokens, which it would close`() throws {
    let open = try Service()
    let answer = try open.send(.post, "/v1/invitations", ["role": "reader"])
    #expect(answer.status == 409)
    #expect(answer.code == "server_open")
    #expect(try open.get("/v1/me")["/canProtect"] == true)
    let always = try Service(store: open.store) { $0.isOpen = true }
    #expect(try always.get("/v1/me")["/canProtect"] == false)
  }

  @Test func `is accepted with a short body only`() throws {
    let body = #"{"code": ""# + String(repeating: "a", count: 5_000) + #""}"#
    let answer = try service.send(.post, "/v1/invitations/accept", text: body)
    #expect(answer.status == 413)
  }

  @Test func `A token is renamed by an owner who sees it`() throws {
    let id = try #require(try service.get("/v1/me", owner).text("/tokenId"))
    let renamed = try service.send(.patch, "/v1/tokens/\(id)", ["name": " Sam's phone "], owner)
    #expect(renamed.status == 200)
    #expect(renamed["/name"] == "Sam's phone")
    #expect(try service.get("/v1/me", owner)["/name"] == "Sam's phone")
    for name: JSONValue in ["", .null, .string(String(repeating: "a", count: 201))] {
      let refused = try service.send(.patch, "/v1/tokens/\(id)", ["name": name], owner)
      #expect(refused.texts("/errors", "pointer") == ["/name"])
    }
    let inner = try accept(
      try #require(
        try service.send(
          .post, "/v1/invitations", ["role": "owner", "listId": .string(list.id)], owner
        ).text("/code")))
    let kim: Fields = ["Authorization": "Bearer \(try #require(inner.text("/token")))"]
    let hidden = try service.send(.patch, "/v1/tokens/\(id)", ["name": "x"], kim)
    #expect(hidden.status == 404)
  }
}
