import HTTP
import Inventory
import JSON
import Synchronization

/// One request with all that its answer depends on.
struct RequestContext: Sendable {
  let head: RequestHead
  let route: Route
  /// The values of the path's placeholders.
  let path: PathValues
  let context: ResponseContext
  /// Of JSON in the body.
  let maximumDepth: Int
  /// Empty until the body is complete, and for a body that is taken in pieces.
  private(set) var body: [UInt8] = []
  /// Nil until the body is complete.
  private var responder: Responder?
  private let parsedBody = ParsedBodyCache()

  init(
    _ head: RequestHead, _ route: Route, _ path: PathValues, _ context: ResponseContext,
    maximumDepth: Int
  ) {
    self.head = head
    self.route = route
    self.path = path
    self.context = context
    self.maximumDepth = maximumDepth
  }

  /// The same request with its body, and with who answers it later.
  func completed(_ body: [UInt8] = [], by responder: Responder) -> RequestContext {
    var request = self
    request.body = body
    request.responder = responder
    return request
  }

  /// Answers later, from any thread; the second answer is ignored.
  func send(_ response: Response) { responder?.send(response) }

  /// Who waits for a read.
  var requester: Requester {
    Requester(turn: turn, isGone: { [client = responder?.client] in client?.isGone ?? false })
  }

  private var turn: Requester.Turn? {
    if let token = caller.token { return .token(token) }
    // Of an IPv6 address the network: a home has as many addresses in it as it likes.
    return head.peer.map { .address($0.high) }
  }

  var caller: Caller { context.caller }

  func query(_ faults: FieldErrors) throws(Problem) -> Query {
    try Query(head, known: route.query, faults)
  }

  /// - Throws: 422 for any parameter, where none is known and there is no body to be wrong too.
  func refuseParameters() throws(Problem) {
    let faults = FieldErrors()
    _ = try query(faults)
    try faults.check()
  }

  /// The body's object; an empty one where there is no body and none is needed.
  func json() throws(Problem) -> JSONObject {
    let object =
      try Body.object(body, of: head, route.body, maximumDepth: maximumDepth) ?? JSONObject()
    if head.fields["idempotency-key"] != nil { parsedBody.keep(object) }
    return object
  }

  /// The same for the one who looks at it last: parsing a long one twice would hold up the loop.
  func jsonOnceMore() throws(Problem) -> JSONObject {
    if let object = parsedBody.take() { return object }
    return try json()
  }

  func ifMatch() throws(Problem) -> IfMatch? {
    try EntityTagCondition(head.fields, "If-Match")?.ifMatch
  }

  /// Of a write to what its path names; nil for POST, which makes something new or goes by other rules than
  /// its path's.
  func ifNoneMatch() throws(Problem) -> IfMatch? {
    guard head.method != .post else { return nil }
    return try EntityTagCondition(head.fields, "If-None-Match")?.ifNoneMatch
  }

  /// Whether the client has what is at this revision (RFC 9110 §13.1.2); a malformed field says no.
  func holds(_ revision: Revision) -> Bool { holds(tag: context.tag(revision)) }

  /// The same for an entity tag, without its quotes.
  func holds(tag: String) -> Bool {
    guard let condition = try? EntityTagCondition(head.fields, "If-None-Match") else {
      return false
    }
    return condition.includes(tag)
  }

  /// Whether `holds` could say yes.
  var isConditional: Bool { head.fields["if-none-match"] != nil }

  /// `Prefer: return=minimal` (RFC 7240 §4.2); of a preference that stands there twice the first counts (§2).
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

  /// A refusal as this request's sender is to see it.
  func problem(_ error: InventoryError) -> Problem {
    var problem = Problem(error)
    if route.body == .none {
      // Without a body, what the rules have looked at came by the query or the path.
      problem.faults = problem.faults.map { fault in
        guard case .member(let path) = fault.place else { return fault }
        return .parameter(path.joined(separator: "."), fault.detail)
      }
    }
    return problem
  }
}

/// Keeps a parsed body until it is asked for again.
private final class ParsedBodyCache: Sendable {
  private let object = Mutex<JSONObject?>(nil)

  func keep(_ body: JSONObject) { object.withLock { $0 = body } }

  /// Nil if nothing is kept.
  func take() -> JSONObject? {
    object.withLock { object in
      defer { object = nil }
      return object
    }
  }
}
