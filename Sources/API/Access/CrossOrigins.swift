import HTTP

/// The pages of other origins that may speak to this server from a browser
/// (https://fetch.spec.whatwg.org/#http-cors-protocol); none unless they are named.
struct CrossOrigins: Sendable {
  /// What answers to requests of each have, by the text of the `Origin` field.
  private let fields: [String: Fields]

  init(_ origins: [Origin]) {
    fields = Dictionary(
      origins.map { ($0.text, Self.fields(for: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  func contains(_ origin: String) -> Bool { fields[origin] != nil }

  /// What an answer has on account of who may read it; nothing while no origin is named.
  func fields(for head: RequestHead) -> Fields {
    guard !fields.isEmpty else { return Fields() }
    return head.fields["origin"].flatMap { fields[$0] } ?? Self.others
  }

  /// Whether it is a browser's question if a request may be sent (fetch, §3.2.2), from an origin whose
  /// requests may.
  func isPreflight(_ head: RequestHead) -> Bool {
    guard !fields.isEmpty, head.method == .options,
      head.fields["access-control-request-method"] != nil, let origin = head.fields["origin"]
    else { return false }
    return contains(origin)
  }

  // Whatever the path: a page is then told 404 or 405 by the request itself, and not by its browser.
  static let preflight: Fields = [
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers":
      "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
      + "If-Range, Last-Event-ID, Prefer, Range, Rowhouse-Inventory, traceparent, tracestate, "
      + "X-Request-Id",
    "Access-Control-Max-Age": "7200",
    "Vary": "Access-Control-Request-Method, Access-Control-Request-Headers",
  ]

  // Caches must not give one origin's answer to another.
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
