import HTTP
import Inventory
import JSON
import WebApp

extension Route {
  static let service = [
    Route(.get, "/healthz", isPublic: true, APIHandler.health),
    Route(.get, "/readyz", isPublic: true, APIHandler.readiness),
    Route(.get, "/openapi.json", isPublic: true) { handler in
      { (request) throws(Problem) in handler.file(OpenAPIDocument.file, request) }
    },
    Route(.get, "/metrics", APIHandler.metrics),
    Route(.get, "/v1/about", APIHandler.about),
    Route(.get, "/v1/texts", isPublic: true, APIHandler.texts),
    Route(
      .get, "/v1/start", query: ["listId", "navigatorId", "limit", "backTitleLimit"],
      APIHandler.start),
    Route(.get, "/problems", isPublic: true, APIHandler.problems),
    Route(.get, "/problems/{code}", isPublic: true, APIHandler.problem),
  ]

  /// The addresses of the web app's screens. All get the same page, which reads its address.
  static let screenPages = [
    Route(.get, "/l/{listId}", isPublic: true, APIHandler.screenPage),
    Route(.get, "/i/{itemId}", isPublic: true, APIHandler.screenPage),
    Route(.get, "/i/{itemId}/photos/{index}", isPublic: true, APIHandler.screenPage),
    Route(.get, "/about", isPublic: true, APIHandler.screenPage),
  ]
}

extension APIHandler {
  private static let healthFields = Fields.guarded([
    "Content-Type": "application/json", "Cache-Control": "no-store",
  ])
  private static let healthBody = Array(#"{"status":"ok"}"#.utf8)

  /// `GET /healthz`: answers while the process runs. Ignores query parameters, which load balancers may add.
  func health(_ request: RequestContext) -> Reply {
    var response = Response(status: 200, fields: Self.healthFields, body: Self.healthBody)
    response.fields.append("X-Request-Id", request.context.requestID)
    request.context.share(&response)
    response.route = request.route.label
    return .now(response)
  }

  /// `GET /readyz`: whether the store can read and write. Answers 503 with the reason if not.
  func readiness(_ request: RequestContext) -> Reply {
    store.checkReadiness { result in
      switch result {
      case .success:
        request.send(
          request.context.response(json: Array(#"{"status":"ready"}"#.utf8)))
      case .failure(let error):
        var problem = Problem(error)
        problem.status = 503
        request.send(request.context.response(problem))
      }
    }
    return .later
  }

  /// `GET /v1/about`
  func about(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    let configuration = configuration
    let cost: ReadCost = request.caller.root == nil ? .bounded : .long
    return read(cost, request) { (snapshot) throws(InventoryError) in
      let counts = try snapshot.counts()
      return request.context.object { writer in
        writer.member("name", configuration.name)
        writer.member("version", configuration.version)
        writer.member("build", configuration.build)
        writer.member("company", configuration.about.company)
        writer.member("copyright", configuration.about.copyright)
        writer.member("legal", configuration.about.legal)
        writer.member("licence", configuration.about.licence)
        writer.member("contact", configuration.about.contact)
        writer.member("support", configuration.about.support)
        writer.member("credits", configuration.about.credits)
        writer.object("counts") { writer in
          writer.member("lists", counts.lists)
          writer.member("items", counts.items)
        }
      }
    }
  }

  /// `GET /problems`
  func problems(_ request: RequestContext) -> Reply {
    .now(ProblemPage.index(for: request.context))
  }

  /// `GET /problems/{code}`
  func problem(_ request: RequestContext) throws(Problem) -> Reply {
    guard let page = ProblemPage(code: request.path.code, in: request.context.language) else {
      throw .notFound
    }
    return .now(page.response(for: request.context))
  }
}

extension APIHandler {
  private static let app = WebFile.all.first { $0.path == "/" }

  /// `GET /l/{listId}` and the other addresses of the web app's screens.
  func screenPage(_ request: RequestContext) throws(Problem) -> Reply {
    guard let app = Self.app else { throw .notFound }
    return file(app, request)
  }

  /// The response to a path that leads nowhere: a page for people who typed or followed it, and a problem for programs.
  func nothing(at head: RequestHead) -> Response {
    let context = context(of: head)
    return isForPerson(head)
      ? ProblemPage.nothingHere(for: context) : context.response(Problem.notFound)
  }

  /// Whether a person has typed or followed the address.
  func isForPerson(_ head: RequestHead) -> Bool {
    (head.method == .get || head.method == .head) && head.segments().first != "v1"
      && head.fields.list("accept")?.lowercased().contains("text/html") == true
  }

  /// `GET /docs` and the other embedded files for browsers.
  func file(_ plain: WebFile, _ request: RequestContext) -> Reply {
    let file = configuration.basePath.file(plain)
    let form = file.form(for: request.head.fields.list("accept-encoding"))
    let status = request.holds(tag: form.tag) ? 304 : 200
    return .now(request.context.response(status, file, form))
  }
}

extension WebFile {
  /// The form that the client prefers by its `Accept-Encoding` (RFC 9110 §12.5.3), and of equal ones the smallest. The
  /// file as it is, if the client accepts none.
  func form(for acceptEncoding: String?) -> Form {
    var weights: [String: Int] = [:]
    for value in QualityValue.list(acceptEncoding) {
      weights[value.token == "x-gzip" ? "gzip" : value.token] = value.weight
    }
    func weight(_ form: Form) -> Int {
      guard let coding = form.coding else { return weights["identity"] ?? weights["*"] ?? 1 }
      return weights[coding] ?? weights["*"] ?? 0
    }
    let plain = forms[forms.count - 1]
    return forms.reduce(plain) { best, form in
      let isSmaller = form.bytes.count < best.bytes.count
      return weight(form) > weight(best)
        || (weight(form) == weight(best) && isSmaller && weight(form) > 0)
        ? form : best
    }
  }
}

extension ResponseContext {
  private static let file = Fields.guarded([
    "Cache-Control": "no-cache", "Vary": "Accept-Encoding",
  ])
  private static let immutableFile = Fields.guarded([
    "Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding",
  ])

  fileprivate func response(_ status: Int, _ file: WebFile, _ form: WebFile.Form) -> Response {
    var response = Response(
      status: status, fields: file.isImmutable ? Self.immutableFile : Self.file)
    response.route = route
    response.fields.append("ETag", "\"\(form.tag)\"")
    response.fields.append("X-Request-Id", requestID)
    share(&response)
    guard status == 200 else { return response }
    if file.isPage {
      for (name, value) in PageHeaders.fields.all { response.fields.append(name, value) }
    } else {
      response.fields.append("Content-Type", file.mediaType)
    }
    if let coding = form.coding { response.fields.append("Content-Encoding", coding) }
    response.body = .bytes(form.bytes)
    return response
  }
}
