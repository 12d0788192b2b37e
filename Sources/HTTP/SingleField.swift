/// Request fields that may have only one value. A repeated one is ambiguous, because two programs could
/// use different values (RFC 9110 §5.3).
///
/// `Framing` itself checks Host and Content-Length.
enum SingleField: Int {
  case range, origin, ifRange, contentType, authorization, lastEventID, fetchSite, idempotencyKey
  case inventory

  var name: StaticString {
    switch self {
    case .range: "Range"
    case .origin: "Origin"
    case .ifRange: "If-Range"
    case .contentType: "Content-Type"
    case .authorization: "Authorization"
    case .lastEventID: "Last-Event-ID"
    case .fetchSite: "Sec-Fetch-Site"
    case .idempotencyKey: "Idempotency-Key"
    case .inventory: "Rowhouse-Inventory"
    }
  }

  /// Nil for any other field. The name's length is compared first, for speed.
  init?(of line: Fields.Line, in fields: Fields) {
    switch line.nameEnd - line.nameStart {
    case 5 where fields.matches(line, "range"): self = .range
    case 6 where fields.matches(line, "origin"): self = .origin
    case 8 where fields.matches(line, "if-range"): self = .ifRange
    case 12 where fields.matches(line, "content-type"): self = .contentType
    case 13 where fields.matches(line, "authorization"): self = .authorization
    case 13 where fields.matches(line, "last-event-id"): self = .lastEventID
    case 14 where fields.matches(line, "sec-fetch-site"): self = .fetchSite
    case 15 where fields.matches(line, "idempotency-key"): self = .idempotencyKey
    case 18 where fields.matches(line, "rowhouse-inventory"): self = .inventory
    default: return nil
    }
  }
}
