import HTTP

/// The other origins whose pages may call this server from browsers
/// (https://fetch.spec.whatwg.org/#http-cors-protocol). None by default.
struct CrossOrigins: Sendable {
  /// The response fields for each origin, by the text of the `Origin` field.
  private let fields: [String: Fields]

  init(_ origins: [Origin]) {
    fields = Dictionary(
      origins.map { ($0.text, Self.fields(for: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  func contains(_ origin: String) -> Bool { fields[origin] != nil }

  /// The CORS fields of a response. Empty if the server allows no other origins at all.
  func fields(for head: RequestHead) -> Fields {
    guard !fields.isEmpty else { return Fields() }
    return head.fields["origin"].flatMap { fields[$0] } ?? Self.others
  }

  /// Whether the request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request) from an
  /// allowed origin.
  func isPreflight(_ head: RequestHead) -> Bool {
    guard !fields.isEmpty, head.method == .options,
      head.fields["access-control-request-method"] != nil, let origin = head.fields["origin"]
    else { return false }
    return contains(origin)
  }

  // The same for every path, so that a page sees the request's own 404 or 405 instead of a CORS error.
  static let preflight: Fields = [
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers":
      "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
      + "If-Range, Last-Event-ID, Prefer, Range, Rowhouse-Inventory, traceparent, tracestate, "
      + "X-Request-Id",
    "Access-Control-Max-Age": "7200",
    "Vary": "Access-Control-Request-Method, Access-Control-Request-Headers",
  ]

  // Caches must not return one origin's response to another.
  private static let others: Fields = ["Vary": "Origin"]

  private static func fields(for origin: Origin) -> Fields {
    [
      "Access-Control-Allow-Origin": origin.text,
      "Access-Control-Expose-Headers":
        "Accept-Ranges, Allow, Content-Disposition, Content-Language, Content-Range, ETag, "
        + "Idempotency-Replayed, Link, Location, Preference-Applied, Retry-After, "
        + "Rowhouse-Revision, X-Request-Id",
      "Vary": "Origin",
    ]
  }
}
