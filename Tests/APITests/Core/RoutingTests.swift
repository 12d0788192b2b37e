import API
import HTTP
import JSON
import Testing

@Suite("Which paths answer to which methods")
struct RoutingTests {
  let service: Service
  init() throws { service = try Service() }

  static let templates = Set(Route.all.map(\.template)).sorted()

  private func allowed(_ template: String) -> Set<String> {
    var names = Set(Route.all.filter { $0.template == template }.map(\.method.name))
    if names.contains("GET") { names.insert("HEAD") }
    return names.union(["OPTIONS"])
  }

  @Test func `no route is in the table twice`() {
    let names = Route.all.map { "\($0.method.name) \($0.template)" }
    #expect(Set(names).count == names.count)
  }

  @Test("OPTIONS names the methods of a path", arguments: templates)
  func options(template: String) throws {
    let answer = try service.send(.options, Paths.sample(of: template))
    #expect(answer.status == 204)
    let names = answer.fields["allow"]?.split(separator: ", ").map(String.init) ?? []
    #expect(Set(names) == allowed(template))
    #expect(names.count == Set(names).count)
  }

  @Test("a method that a path does not know is refused with those it knows", arguments: templates)
  func methods(template: String) throws {
    let methods: [HTTP.Method] = [
      .get, .head, .post, .put, .patch, .delete, .trace, .other("BREW"),
    ]
    for method in methods where !allowed(template).contains(method.name) {
      // With a body it is decided before the body, without one after.
      for bytes in [[], Array("{".utf8)] {
        let answer = try service.send(method, Paths.sample(of: template), bytes: bytes)
        #expect(answer.status == 405)
        #expect(answer.code == "method_not_allowed")
        let names = answer.fields["allow"]?.split(separator: ", ").map(String.init) ?? []
        #expect(Set(names) == allowed(template))
      }
    }
  }

  @Test(
    "what is no path is not found, with a body or without",
    arguments: [
      "/v1", "/v2/lists", "/V1/lists", "/v1/list", "/v1/lists/root/row", "/v1//lists",
      "/v1/lists/root//rows", "/v1/lists//", "/v1/lists/7", "/v1/lists/Root",
      "/v1/lists/00000000-0000-4000-8000-00000000000",
      "/v1/lists/00000000-0000-4000-8000-00000000000g",
      "/v1/lists/00000000x0000-4000-8000-000000000000", "/v1/items/root",
      "/v1/lists/root/rows/0/x", "/v1/lists/root/rows//", "/problems//", "/v1/photos", "/v1/rows",
      "/problems/nothing", "/healthz/x",
    ])
  func unknown(path: String) throws {
    for method in [HTTP.Method.get, .options] {
      if path == "/problems/nothing", method == .options { continue }
      let answer = try service.send(method, path)
      #expect(answer.status == 404)
    }
    if path != "/problems/nothing" {
      let answer = try service.send(.post, path, text: "{}")
      #expect(answer.status == 404)
      #expect(answer.code == "not_found")
    }
  }

  @Test func `a trailing slash, escapes and the letter case of ids do not matter`() throws {
    let list = try service.makeList("x", ["id": "0198c0de-0000-7000-8000-0000000000ab"])
    let plain = try service.get(list.path)
    #expect(plain.status == 200)
    for path in [list.path + "/", "/v1/lists/" + list.id.uppercased(), "/%761/list%73/" + list.id] {
      #expect(try service.get(path).body == plain.body)
    }
    #expect(try service.get("/v1/lists/%72oot").status == 200)
  }

  @Test func `the server as a whole can be asked what it allows`() throws {
    let answer = try service.send(.options, "*")
    #expect(answer.status == 204)
    #expect(answer.fields["allow"] != nil)
  }

  @Test("parameters that a path does not know are refused", arguments: Route.all.indices)
  func parameters(position: Int) throws {
    let route = Route.all[position]
    let list = try service.makeList(things: ["a"])
    let navigator = try #require(try service.send(.post, "/v1/navigators").text("/id"))
    let path = Paths.path(route.template) { placeholder in
      switch placeholder {
      case "{itemId}", "{rowId}", "{tokenId}", "{invitationId}": list.rows[0]
      case "{listId}": list.id
      case "{navigatorId}": navigator
      case "{inventoryId}": service.store.inventoryID.description
      default: nil
      }
    }
    let answer =
      route.body == .none
      ? try service.send(route.method, path + "?surprise=1")
      : try service.send(route.method, path + "?surprise=1", [:])
    // Probes and links to pages come with parameters of others', such as utm_source.
    if route.isPublic, !route.template.hasPrefix("/v1/") {
      #expect(answer.status == 200)
      #expect(answer.fields["content-type"] == (try service.get(path).fields["content-type"]))
    } else {
      #expect(answer.status == 422)
      #expect(answer.faults.contains("surprise"))
    }
  }
}
