import HTTP
import WebApp

extension APIHandler {
  /// `GET /docs` and whatever else the program brings along for browsers.
  func file(_ plain: WebFile, _ exchange: Exchange) -> Reply {
    let file = configuration.basePath.file(plain)
    guard !exchange.holds(tag: file.tag) else {
      return .response(exchange.audience.response(304, file))
    }
    return .response(exchange.audience.response(200, file))
  }
}

extension Audience {
  private static let file = Fields.guarded([
    "Cache-Control": "no-cache"
  ])

  fileprivate func response(_ status: Int, _ file: WebFile) -> Response {
    var response = Response(status: status, fields: Self.file)
    response.route = route
    response.fields.append("ETag", "\"\(file.tag)\"")
    response.fields.append("X-Request-Id", requestID)
    share(&response)
    guard status == 200 else { return response }
    if file.isPage {
      for (name, value) in PageHeaders.fields.all { response.fields.append(name, value) }
    } else {
      response.fields.append("Content-Type", file.mediaType)
    }
    response.body = file.bytes
    return response
  }
}
