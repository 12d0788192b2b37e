import HTTP
import Inventory
import JSON

extension APIHandler {
  private static let healthFields = Fields.guarded([
    "Content-Type": "application/json", "Cache-Control": "no-store",
  ])
  private static let healthBody = Array(#"{"status":"ok"}"#.utf8)

  /// `GET /healthz`: whoever can answer this is alive.
  func health(_ head: RequestHead, _ requestID: String, _ route: RouteDescription) -> Response {
    var response = Response(status: 200, fields: Self.healthFields, body: Self.healthBody)
    response.fields.append("X-Request-Id", requestID)
    for (name, value) in configuration.site.crossOrigins.fields(for: head).all {
      response.fields.append(name, value)
    }
    response.route = route.label
    return response
  }

  /// The same whatever the query says: probes of load balancers add to it, and so do links to pages.
  func health(_ exchange: Exchange) -> Reply {
    .response(health(exchange.head, exchange.audience.requestID, exchange.route))
  }

  /// `GET /readyz`: whether the store can read and write; 503 with the reason where it can't.
  func readiness(_ exchange: Exchange) -> Reply {
    store.checkReadiness { result in
      switch result {
      case .success:
        exchange.responder.send(
          exchange.audience.response(json: Array(#"{"status":"ready"}"#.utf8)))
      case .failure(let error):
        var problem = Problem(error)
        problem.status = 503
        exchange.responder.send(exchange.audience.response(problem))
      }
    }
    return .deferred
  }

  /// `GET /v1/about`
  func about(_ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    let configuration = configuration
    let cost: ReadCost = exchange.caller.root == nil ? .bounded : .long
    return read(cost, exchange) { (snapshot) throws(InventoryError) in
      let counts = try snapshot.counts(for: exchange.caller)
      var writer = JSONWriter(capacity: 512)
      writer.beginObject()
      writer.key("name")
      writer.string(configuration.name)
      writer.key("version")
      writer.string(configuration.version)
      writer.key("build")
      writer.string(configuration.build)
      writer.key("company")
      writer.string(configuration.about.company)
      writer.key("copyright")
      writer.string(configuration.about.copyright)
      writer.key("legal")
      writer.string(configuration.about.legal)
      writer.key("licence")
      writer.string(configuration.about.licence)
      writer.key("contact")
      writer.string(configuration.about.contact)
      writer.key("support")
      writer.string(configuration.about.support)
      writer.key("credits")
      writer.string(configuration.about.credits)
      writer.key("counts")
      writer.beginObject()
      writer.key("lists")
      writer.int(counts.lists)
      writer.key("items")
      writer.int(counts.items)
      writer.endObject()
      writer.endObject()
      return exchange.audience.response(json: writer.finish())
    }
  }

  /// `GET /problems`
  func problems(_ exchange: Exchange) -> Reply {
    .response(ProblemPage.index(for: exchange.audience))
  }

  /// `GET /problems/{code}`
  func problem(_ code: String, _ exchange: Exchange) throws(Problem) -> Reply {
    guard let page = ProblemPage(code: code, in: exchange.audience.language) else {
      throw .notFound
    }
    return .response(page.response(for: exchange.audience))
  }
}
