import HTTP

/// A response as it is kept for a request that is sent again: the status, the fields that belong to
/// the answer and not to the exchange, and the body.
struct KeptResponse: Sendable {
  /// A longer body is not kept: the answer is then kept as `Prefer: return=minimal` has it, without
  /// receipt and resource, which can be read.
  static let longestBody = 1 << 20

  let bytes: [UInt8]

  init(_ response: Response) {
    let isKeptWhole = response.body.count <= Self.longestBody
    var head = "\(isKeptWhole ? response.status : 204)\r\n"
    for (name, value) in response.fields.all {
      let name = name.lowercased()
      if name == "x-request-id" || (name == "content-type" && !isKeptWhole) { continue }
      if name.hasPrefix("access-control-") || (name == "vary" && value == "Origin") { continue }
      head += "\(name): \(value)\r\n"
    }
    bytes = Array((head + "\r\n").utf8) + (isKeptWhole ? response.body : [])
  }

  /// The answer to a request that has been answered so before; nil for bytes that are none.
  static func replayed(_ bytes: [UInt8], for audience: Audience) -> Response? {
    let lineEnd: [UInt8] = [0x0D, 0x0A]
    var rest = bytes[...]
    func line() -> Substring? {
      guard let end = rest.firstRange(of: lineEnd) else { return nil }
      defer { rest = rest[end.upperBound...] }
      return Substring(decoding: rest[..<end.lowerBound], as: UTF8.self)
    }
    guard let status = line().flatMap({ Int($0) }) else { return nil }
    var response = Response(status: status)
    response.route = audience.route
    response.token = audience.caller.token?.halves
    while let field = line(), !field.isEmpty {
      guard let colon = field.firstIndex(of: ":") else { return nil }
      response.fields.append(
        String(field[..<colon]), String(field[colon...].dropFirst(2)))
    }
    response.body = Array(rest)
    response.fields.append("Idempotency-Replayed", "true")
    response.fields.append("X-Request-Id", audience.requestID)
    audience.share(&response)
    return response
  }
}
