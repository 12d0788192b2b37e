import HTTP
import Inventory
import JSON

/// The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header, section 2.1): a quoted
/// string of structured fields (RFC 9651 §3.3.3). It is also accepted without quotes, because many
/// clients send it so.
struct IdempotencyKey: Sendable, Hashable {
  let text: String

  private static let length = 1...255

  /// Nil if the field is absent.
  ///
  /// - Throws: 400 unless there is one value, quoted or not, of 1 to 255 ASCII characters.
  init?(_ fields: Fields) throws(Problem) {
    guard fields["idempotency-key"] != nil else { return nil }
    let values = fields.values("idempotency-key")
    guard values.count == 1, let text = Self.text(of: Array(values[0].utf8)[...]),
      Self.length.contains(text.utf8.count)
    else {
      throw Problem(
        .malformedHeader,
        "Send one Idempotency-Key of 1 to 255 visible ASCII characters."
      )
    }
    self.text = text
  }

  private static func text(of value: ArraySlice<UInt8>) -> String? {
    let quote = UInt8(ascii: "\"")
    guard value.first == quote else {
      let isPlain = value.allSatisfy { (0x21...0x7E).contains($0) && $0 != quote }
      return isPlain ? String(decoding: value, as: UTF8.self) : nil
    }
    guard value.count >= 2, value.last == quote else { return nil }
    var text: [UInt8] = []
    var rest = value.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), escaped == quote || escaped == byte else { return nil }
        text.append(escaped)
      case quote: return nil
      case 0x20...0x7E: text.append(byte)
      default: return nil
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension RequestContext {
  /// The identity of a write with an `Idempotency-Key`. Nil without the field.
  ///
  /// A key is scoped to the caller, the method and the path. The query and the body are compared, the body as a JSON
  /// value or by the digest of its bytes. Conditions and preferences are not compared: a retry may drop a stale
  /// `If-Match`.
  ///
  /// - Parameter digest: the digest of a streamed body, which is compared by its bytes.
  func retry(
    sending digest: [UInt8]? = nil,
    _ encode: @escaping @Sendable (Outcome) -> Response
  ) throws(Problem) -> IdempotentRequest? {
    guard let key = try IdempotencyKey(head.fields) else { return nil }
    let who: [JSONValue] = [
      .string(caller.owner), .string(caller.inventory?.description ?? ""),
      .string(caller.root?.description ?? ""),
    ]
    // Ids in another letter case and a trailing slash are the same path.
    let path = head.segments().map { JSONValue.string($0.lowercased()) }
    let scope: JSONValue = [.array(who), .string(head.method.name), .array(path)]
    let parameters = (head.query() ?? []).map { (key: $0.name, value: JSONValue.string($0.value)) }
    let content: JSONValue =
      switch route.body {
      case .none: .null
      case .streamed, .image: digest.map(Self.value) ?? .null
      case .table, .rendition: Self.value(of: SHA256.digest(of: body))
      case .optional, .required, .requiredSmall, .requiredLarge: .object(try jsonOnceMore())
      }
    let sent: JSONValue = [.object(JSONObject(parameters)), content]
    return IdempotentRequest(
      scope: SHA256.digest(of: scope.canonicalBytes), key: key.text,
      fingerprint: SHA256.digest(of: sent.canonicalBytes)
    ) { outcome in encode(outcome).storedBytes }
  }

  private static func value(of digest: [UInt8]) -> JSONValue {
    .array(digest.map { .number(JSONNumber(Int64($0))) })
  }
}

extension Response {
  /// The longest body that is stored, in bytes. For a longer body, the stored response is 204 without a body. The
  /// client can read the resource.
  static let longestStoredBody = 1 << 20

  /// The response as stored for retries: the status, the body, and the fields that are the same for every retry.
  var storedBytes: [UInt8] {
    let body = self.bytes
    let isKeptWhole = body.count <= Self.longestStoredBody
    var head = "\(isKeptWhole ? status : 204)\r\n"
    for (name, value) in fields.all {
      let name = name.lowercased()
      if name == "x-request-id" || (name == "content-type" && !isKeptWhole) { continue }
      if name.hasPrefix("access-control-") || (name == "vary" && value == "Origin") { continue }
      head += "\(name): \(value)\r\n"
    }
    return Array((head + "\r\n").utf8) + (isKeptWhole ? body : [])
  }

  /// The stored response for a retry. Nil if the bytes are not a stored response.
  static func replayed(_ bytes: [UInt8], for context: ResponseContext) -> Response? {
    let lineEnd: [UInt8] = [0x0D, 0x0A]
    var rest = bytes[...]
    func line() -> Substring? {
      guard let end = rest.firstRange(of: lineEnd) else { return nil }
      defer { rest = rest[end.upperBound...] }
      return Substring(decoding: rest[..<end.lowerBound], as: UTF8.self)
    }
    guard let status = line().flatMap({ Int($0) }) else { return nil }
    var response = Response(status: status)
    response.route = context.route
    response.token = context.caller.token?.uuid.halves
    while let field = line(), !field.isEmpty {
      guard let colon = field.firstIndex(of: ":") else { return nil }
      response.fields.append(
        String(field[..<colon]), String(field[colon...].dropFirst(2)))
    }
    response.body = .bytes(Array(rest))
    response.fields.append("Idempotency-Replayed", "true")
    response.fields.append("X-Request-Id", context.requestID)
    context.share(&response)
    return response
  }
}
