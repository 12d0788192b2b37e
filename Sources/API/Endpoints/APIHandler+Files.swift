import HTTP
import WebApp

extension APIHandler {
  /// `GET /docs` and whatever else the program brings along for browsers.
  func file(_ file: WebFile, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    guard !exchange.holds(tag: file.tag) else {
      return .response(exchange.audience.response(304, file))
    }
    return .response(exchange.audience.response(200, file))
  }
}

extension Audience {
  private static let file: Fields = [
    "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
  ]

  /// What a page may do: load and ask what is of this server, and nothing else
  /// (https://www.w3.org/TR/CSP3/).
  private static let pagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'"

  fileprivate func response(_ status: Int, _ file: WebFile) -> Response {
    var response = Response(status: status, fields: Self.file)
    response.route = route
    response.fields.append("ETag", "\"\(file.tag)\"")
    response.fields.append("X-Request-Id", requestID)
    guard status == 200 else { return response }
    response.fields.append("Content-Type", file.mediaType)
    if file.isPage {
      response.fields.append("Content-Security-Policy", Self.pagePolicy)
      response.fields.append("Referrer-Policy", "no-referrer")
    }
    response.body = file.bytes
    return response
  }
}
