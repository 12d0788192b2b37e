import HTTP
import Inventory
import JSON

/// The caller, language and other parameters that shape a response's bytes.
struct ResponseContext: Sendable {
  var caller: Caller
  var language: Language
  var requestID: String
  /// The path template of the request. Nil if no route matched.
  var route: StaticString?
  /// The prefix of every path in the response.
  var base = BasePath.none
  /// The CORS fields; see `CrossOrigins`.
  var crossOrigin = Fields()

  /// The part of an entity tag after the revision: the language, `-r` for a reader, `-i` with the selected
  /// inventory, and the token's root. Example: `en-r`.
  var variant: String {
    var variant = language.rawValue
    if caller.role == .reader { variant += "-r" }
    if let inventory = caller.inventory { variant += "-i\(inventory)" }
    if let root = caller.root { variant += "-\(root)" }
    return variant
  }

  /// The entity tag without quotes.
  func tag(_ revision: Revision) -> String { "\(revision.number)-\(variant)" }

  /// The entity tag of a navigator without quotes. It includes the inventory's revision, because a navigator
  /// also shows titles.
  func tag(_ navigator: Navigator, at revision: Revision) -> String {
    "\(tag(Revision(navigator.version)))-r\(revision.number)"
  }

  /// The common fields of responses about resources.
  private func fields(from base: Fields, in languages: String? = nil) -> Fields {
    var fields = base
    fields.append("Content-Language", languages ?? language.rawValue)
    fields.append("X-Request-Id", requestID)
    return fields
  }

  /// The request fields that affect responses, for `Vary`.
  private static let choosers = "Authorization, Accept-Language, Rowhouse-Inventory"
  private static let untyped = Fields.guarded([
    "Cache-Control": "private, no-cache", "Vary": choosers,
  ])
  private static let json = typed("application/json")
  private static let problem = typed("application/problem+json")
  private static let unkept = Fields.guarded([
    "Content-Type": "application/json", "Cache-Control": "no-store",
  ])
  private static let events = Fields.guarded([
    "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
    "Vary": choosers,
  ])

  private static func typed(_ type: String) -> Fields {
    .guarded(["Content-Type": type, "Cache-Control": "private, no-cache", "Vary": choosers])
  }

  private func response(_ status: Int, _ fields: Fields, _ body: [UInt8] = []) -> Response {
    var response = Response(status: status, fields: fields, body: body)
    response.route = route
    response.token = caller.token?.uuid.halves
    share(&response)
    return response
  }

  /// Adds the CORS fields.
  func share(_ response: inout Response) {
    guard crossOrigin.count > 0 else { return }
    for (name, value) in crossOrigin.all { response.fields.append(name, value) }
  }

  func response(_ status: Int = 200, json body: [UInt8]) -> Response {
    response(status, fields(from: Self.json), body)
  }

  /// A response with the JSON that `write` writes.
  func response<E: Error>(
    _ status: Int = 200, capacity: Int = 1024, _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> Response {
    response(status, json: try JSONWriter.bytes(capacity: capacity, write))
  }

  /// A response with an object. `write` writes its members.
  func object<E: Error>(
    capacity: Int = 1024, _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> Response {
    try response(capacity: capacity) { (writer) throws(E) in try writer.object(write) }
  }

  /// A response that must not be stored (`no-store`), because it contains a secret.
  func secret(_ status: Int, json body: [UInt8]) -> Response {
    response(status, fields(from: Self.unkept), body)
  }

  /// A response with a strong entity tag.
  func response(json body: [UInt8], revision: Revision) -> Response {
    var response = response(json: body)
    response.fields.append("ETag", "\"\(tag(revision))\"")
    return response
  }

  private static let photo = photoFields("private, max-age=31536000, immutable")
  private static let changingPhoto = photoFields("private, no-cache")

  private static func photoFields(_ cacheControl: String) -> Fields {
    .guarded([
      "Cache-Control": cacheControl,
      "Vary": "Authorization, Rowhouse-Inventory",
      "Accept-Ranges": "bytes",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    ])
  }

  /// A response about a photo's bytes, without the body.
  func response(_ status: Int, of file: PhotoFile) -> Response {
    var fields = file.isFinal ? Self.photo : Self.changingPhoto
    if status != 304 { fields.append("Content-Type", file.type.mediaType) }
    fields.append("ETag", "\"\(file.tag)\"")
    fields.append("X-Request-Id", requestID)
    return response(status, fields)
  }

  private static let drawing = Fields.guarded([
    "Content-Type": "image/svg+xml", "Cache-Control": "private, no-cache", "Vary": choosers,
    "Content-Security-Policy": "default-src 'none'; sandbox",
  ])

  /// A drawing with an entity tag, which is given without quotes.
  func drawing(_ svg: [UInt8], tag: String) -> Response {
    var fields = Self.drawing
    fields.append("ETag", "\"\(tag)\"")
    fields.append("X-Request-Id", requestID)
    return response(200, fields, svg)
  }

  func notModified(tag: String) -> Response {
    var response = empty(304)
    response.fields.append("ETag", "\"\(tag)\"")
    return response
  }

  /// A text for a program. It must not be stored.
  func text(_ type: String, _ body: [UInt8]) -> Response {
    let base = Fields.guarded(["Cache-Control": "no-store"])
    var fields = fields(from: base)
    fields.append("Content-Type", type)
    return response(200, fields, body)
  }

  /// A response that browsers save as a file.
  func file(_ type: String, named name: String, _ source: any BodySource) -> Response {
    var fields = fields(from: Self.untyped)
    fields.append("Content-Type", type)
    fields.append("Content-Disposition", "attachment; filename=\"\(name)\"")
    var response = response(200, fields)
    response.body = .stream(source)
    return response
  }

  func notModified(_ revision: Revision) -> Response { notModified(tag: tag(revision)) }

  /// An event stream, which proxies must not buffer.
  func response(events stream: EventStream) -> Response {
    var response = response(200, fields(from: Self.events))
    response.fields.append("Rowhouse-Revision", String(stream.present.number))
    response.body = .stream(stream)
    return response
  }

  func empty(_ status: Int = 204) -> Response {
    response(status, fields(from: Self.untyped))
  }

  func response(_ problem: Problem) -> Response {
    var fields = fields(from: Self.problem, in: languages(of: problem))
    if let allowed = problem.allowed { fields.append("Allow", allowed) }
    if let challenge = problem.challenge { fields.append("WWW-Authenticate", challenge) }
    if let seconds = problem.code.retryAfter { fields.append("Retry-After", String(seconds)) }
    var response = response(problem.status, fields, body(of: problem))
    if Self.limits.contains(problem.status) { response.refusal = problem.code.rawValue }
    return response
  }

  /// The statuses of responses that refuse a request because of a limit.
  private static let limits: Set<Int> = [408, 413, 414, 429, 431, 503, 507]

  /// The response to an error found by the HTTP server, with the server's code.
  func refusal(_ fault: RequestFault) -> Response {
    let texts = language.texts.fault(fault)
    // A fault without texts in this language is reported in English.
    guard let texts else {
      var english = self
      english.language = .english
      return english.refusal(fault)
    }
    var response = response(Problem(.internalError, status: fault.status, fault.detail))
    if fault.status == 503 { response.fields.append("Retry-After", "1") }
    response.body = .bytes(body(of: fault, texts.title, texts.explanation))
    if response.refusal != nil { response.refusal = fault.code }
    return response
  }
}

extension Fields {
  /// The fields plus those for browsers in every response: no sniffing of media types, and no embedding by other
  /// origins.
  static func guarded(_ fields: Fields) -> Fields {
    var fields = fields
    fields.append("X-Content-Type-Options", "nosniff")
    fields.append("Cross-Origin-Resource-Policy", "same-origin")
    return fields
  }
}
