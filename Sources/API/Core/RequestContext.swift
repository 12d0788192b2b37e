import HTTP
import Inventory
import JSON
import Synchronization

/// A request with everything that its response depends on.
struct RequestContext: Sendable {
  let head: RequestHead
  let route: Route
  /// The values of the path's placeholders.
  let path: PathValues
  let context: ResponseContext
  /// The deepest nesting of JSON in the body.
  let maximumDepth: Int
  /// The buffered body. Empty until it is complete, and for a streamed body.
  private(set) var body: [UInt8] = []
  /// Nil until the body is complete.
  private var responder: Responder?
  /// Nil for a request without a body.
  private let parsedBody: ParsedBodyCache?

  init(
    _ head: RequestHead, _ route: Route, _ path: PathValues, _ context: ResponseContext,
    maximumDepth: Int
  ) {
    self.head = head
    self.route = route
    self.path = path
    self.context = context
    self.maximumDepth = maximumDepth
    parsedBody = head.hasBody ? ParsedBodyCache() : nil
  }

  /// The request with its body and its responder.
  func completed(_ body: [UInt8] = [], by responder: Responder) -> RequestContext {
    var request = self
    request.body = body
    request.responder = responder
    return request
  }

  /// A copy without the body. Otherwise the writer's thread would free the body, which takes milliseconds for a large
  /// one.
  var withoutBody: RequestContext {
    var request = self
    request.body = []
    return request
  }

  /// Sends the response. Any thread may call it. A second response is ignored.
  func send(_ response: Response) { responder?.send(response) }

  /// The client of a read, for fair queueing and to detect that it has disconnected.
  var requester: Requester {
    Requester(turn: turn, isGone: { [client = responder?.client] in client?.isGone ?? false })
  }

  private var turn: Requester.Turn? {
    if let token = caller.token { return .token(token) }
    // IPv6 clients are counted by network, because one home has any number of addresses.
    return head.peer.map { .address($0.high) }
  }

  var caller: Caller { context.caller }

  /// Reads the query's parameters.
  ///
  /// - Parameter read: returns nil only after it has noted an error.
  /// - Throws: all noted errors together.
  func parameters<Value>(_ read: (Query) throws(Problem) -> Value?) throws(Problem) -> Value {
    let faults = FieldErrors()
    let value = try read(try Query(head, known: route.query, faults))
    try faults.check()
    guard let value else { throw .invalid([]) }
    return value
  }

  /// Reads the query's parameters and the members of the body's object.
  ///
  /// - Parameters:
  ///   - known: the members that the call takes. Others are errors.
  ///   - readOnly: members of responses, which are ignored.
  ///   - read: returns nil only after it has noted an error.
  /// - Throws: all noted errors together.
  func input<Value>(
    _ known: [String], readOnly: [String] = [], _ read: (Query, Members) -> Value?
  ) throws(Problem) -> Value {
    try parameters { (query) throws(Problem) in
      read(query, Members(try json(), known: known, readOnly: readOnly, query.faults))
    }
  }

  /// - Throws: 422 for any parameter that the route does not name. Use it for calls without parameters and without a
  ///   body.
  func refuseParameters() throws(Problem) { try parameters { _ in () } }

  /// The body's object. Empty if there is no body and none is required.
  func json() throws(Problem) -> JSONObject {
    let object =
      try Body.object(body, of: head, route.body, maximumDepth: maximumDepth) ?? JSONObject()
    if head.fields["idempotency-key"] != nil { parsedBody?.keep(object) }
    return object
  }

  /// The body's object, for its last use. Returns the object that `json` has kept, because parsing a long body twice
  /// blocks the loop.
  func jsonOnceMore() throws(Problem) -> JSONObject {
    if let object = parsedBody?.take() { return object }
    return try json()
  }

  /// Throws 400 for a body with `Content-Range`, which is a part (RFC 9110 §14.5), and for an `If-Match` on a read or on
  /// a route without entity tags. If the fields were ignored, the part would replace the whole, or a request could be
  /// carried out although its precondition fails.
  func requireKnownConditions() throws(Problem) {
    guard !head.hasBody || head.fields["content-range"] == nil else {
      throw Problem(.malformedHeader, "Send the whole content, without Content-Range.")
    }
    guard route.isUnconditional || route.method == .get, head.fields["if-match"] != nil
    else { return }
    throw Problem(.malformedHeader, "Send this request without If-Match.")
  }

  func ifMatch() throws(Problem) -> IfMatch? {
    try EntityTagCondition(head.fields, "If-Match")?.ifMatch
  }

  /// The `If-None-Match` of a write to the resource at its path. Nil for POST, because a POST does not write the
  /// resource at its path.
  func ifNoneMatch() throws(Problem) -> IfMatch? {
    guard head.method != .post else { return nil }
    return try EntityTagCondition(head.fields, "If-None-Match")?.ifNoneMatch
  }

  /// The response to a result: what `body` makes of its value, or the problem.
  func response<Value>(
    to result: Result<Value, InventoryError>, _ body: (Value) -> Response
  ) -> Response {
    switch result {
    case .success(let value): body(value)
    case .failure(let error): context.response(problem(error))
    }
  }

  /// A response with an entity tag: the JSON that `write` writes, or 304 if the client already has it.
  ///
  /// - Parameter tag: the entity tag without quotes.
  func response<E: Error>(
    tagged tag: String, capacity: Int = 1024, _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> Response {
    var response =
      holds(tag: tag) ? context.empty(304) : try context.response(capacity: capacity, write)
    response.fields.append("ETag", "\"\(tag)\"")
    return response
  }

  /// A page of a collection, with links to the others.
  ///
  /// - Parameter tag: the entity tag without quotes. Nil: there is none.
  func response(_ page: Page, _ body: [UInt8], tag: String? = nil) -> Response {
    var response = context.response(json: body)
    if let tag { response.fields.append("ETag", "\"\(tag)\"") }
    response.fields.append("Link", page.links(for: head, below: context.base))
    return response
  }

  /// Whether the client already has this revision (RFC 9110 §13.1.2). False for a malformed field.
  func holds(_ revision: Revision) -> Bool { holds(tag: context.tag(revision)) }

  /// Whether the client already has the entity tag, given without quotes.
  func holds(tag: String) -> Bool {
    guard let condition = try? EntityTagCondition(head.fields, "If-None-Match") else {
      return false
    }
    return condition.includes(tag)
  }

  /// Whether the request has an `If-None-Match` for `holds` to compare.
  var isConditional: Bool { head.fields["if-none-match"] != nil }

  /// Whether the request has `Prefer: return=minimal` (RFC 7240 §4.2). The first of repeated preferences counts (§2).
  var prefersMinimal: Bool {
    guard head.fields["prefer"] != nil else { return false }
    for field in head.fields.values("prefer") {
      for preference in field.split(separator: ",") {
        let value = preference.split(separator: ";").first ?? ""
        let word = value.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased()
        if word == "return" || word.hasPrefix("return=") { return word == "return=minimal" }
      }
    }
    return false
  }

  /// Converts a store's error to a problem that names places of this request.
  func problem(_ error: InventoryError) -> Problem {
    var problem = Problem(error)
    if route.body == .none {
      // Without a body, the members that the rules checked came from the query or the path.
      problem.faults = problem.faults.map { fault in
        guard case .member(let path) = fault.place else { return fault }
        return .parameter(path.joined(separator: "."), fault.detail)
      }
    }
    return problem
  }
}

/// Keeps a parsed body until it is read again.
private final class ParsedBodyCache: Sendable {
  private let object = Mutex<JSONObject?>(nil)

  func keep(_ body: JSONObject) { object.withLock { $0 = body } }

  /// Removes and returns the kept body. Nil if there is none.
  func take() -> JSONObject? {
    object.withLock { object in
      defer { object = nil }
      return object
    }
  }
}
