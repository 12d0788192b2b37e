import HTTP
import Inventory
import JSON

extension Exchange {
  /// What a write with an `Idempotency-Key` is known by; nil without one.
  ///
  /// Keys belong to who asks, the method and the path; what the query and the body say is compared,
  /// bodies as JSON values. Conditions and preferences are not: a client may drop a stale `If-Match`.
  ///
  /// - Parameter digest: of a body that has streamed by, whose bytes are compared.
  func retry(
    sending digest: [UInt8]? = nil,
    _ encode: @escaping @Sendable (Outcome) -> Response
  ) throws(Problem) -> Retry? {
    guard let key = try IdempotencyKey(head.fields) else { return nil }
    let who: [JSONValue] = [
      .string(caller.owner), .string(caller.inventory?.description ?? ""),
      .string(caller.root?.description ?? ""),
    ]
    // The letter case of ids and a trailing slash do not tell paths apart.
    let path = head.segments().map { JSONValue.string($0.lowercased()) }
    let scope: JSONValue = [.array(who), .string(head.method.name), .array(path)]
    let parameters = (head.query() ?? []).map { (key: $0.name, value: JSONValue.string($0.value)) }
    let content: JSONValue =
      switch route.body {
      case .none: .null
      case .streamed, .image: digest.map(Self.value) ?? .null
      case .table: Self.value(of: SHA256.digest(of: request.body))
      case .optional, .required, .requiredLarge: .object(try bodyOnceMore())
      }
    let sent: JSONValue = [.object(JSONObject(parameters)), content]
    return Retry(
      scope: SHA256.digest(of: scope.canonicalBytes), key: key.text,
      fingerprint: SHA256.digest(of: sent.canonicalBytes)
    ) { outcome in KeptResponse(encode(outcome)).bytes }
  }

  private static func value(of digest: [UInt8]) -> JSONValue {
    .array(digest.map { .number(JSONNumber(Int64($0))) })
  }
}
