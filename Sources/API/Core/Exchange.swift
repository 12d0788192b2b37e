import HTTP
import Inventory
import JSON

/// One request on its way to an answer.
struct Exchange: Sendable {
  let request: Request
  let responder: Responder
  let route: RouteDescription
  let audience: Audience
  /// Of JSON in the body.
  let maximumDepth: Int
  private let readBody = ReadBody()

  /// Who waits for a read.
  var requester: Requester {
    Requester(turn: turn, isGone: { [client = responder.client] in client.isGone })
  }

  private var turn: Requester.Turn? {
    if let token = caller.token { return .token(token) }
    // Of an IPv6 address the network: a home has as many addresses in it as it likes.
    return head.peer.map { .address($0.high) }
  }

  var head: RequestHead { request.head }
  var caller: Caller { audience.caller }

  func query(_ faults: Faults) throws(Problem) -> Query {
    try Query(head, known: route.parameters, faults)
  }

  /// - Throws: 422 for any parameter, where none is known and there is no body to be wrong too.
  func refuseParameters() throws(Problem) {
    let faults = Faults()
    _ = try query(faults)
    try faults.check()
  }

  /// The body's object; an empty one where there is no body and none is needed.
  func body() throws(Problem) -> JSONObject {
    let object =
      try Body.object(of: request, route.body, maximumDepth: maximumDepth) ?? JSONObject()
    if head.fields["idempotency-key"] != nil { readBody.keep(object) }
    return object
  }

  /// The same for the one who looks at it last: parsing a long one twice would hold up the loop.
  func bodyOnceMore() throws(Problem) -> JSONObject {
    if let object = readBody.take() { return object }
    return try body()
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
  func holds(_ revision: Revision) -> Bool { holds(tag: audience.tag(revision)) }

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
