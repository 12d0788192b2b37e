import HTTP
import Inventory

/// Whom an answer is for: what shapes its bytes besides the resource.
struct ResponseContext: Sendable {
  var caller: Caller
  var language: Language
  var requestID: String
  /// The template of the path that was asked for; nil if there is no such route.
  var route: StaticString?
  /// What stands before every path that the answer names.
  var base = BasePath.none
  /// What browsers read of who may read the answer; see `CrossOrigins`.
  var crossOrigin = Fields()

  /// What stands behind the revision in an entity tag: `en`, `en-r` for a reader, an `i` with the inventory
  /// that the token or the request names, the token's root.
  var variant: String {
    var variant = language.rawValue
    if caller.role == .reader { variant += "-r" }
    if let inventory = caller.inventory { variant += "-i\(inventory)" }
    if let root = caller.root { variant += "-\(root)" }
    return variant
  }

  /// The entity tag without its quotes.
  func tag(_ revision: Revision) -> String { "\(revision.number)-\(variant)" }

  /// The entity tag of a navigator without its quotes: it shows titles as well, which change with the
  /// inventory's revision.
  func tag(_ navigator: Navigator, at revision: Revision) -> String {
    "\(tag(Revision(navigator.version)))-r\(revision.number)"
  }

  /// The fields that every answer about resources has.
  private func fields(from base: Fields, in languages: String? = nil) -> Fields {
    var fields = base
    fields.append("Content-Language", languages ?? language.rawValue)
    fields.append("X-Request-Id", requestID)
    return fields
  }

  /// The fields of a request that choose what is answered.
  private static let choosers = "Authorization, Accept-Language, Rowhouse-Inventory"
  private static let untyped = Fields.guarded([
    "Cache-Control": "private, no-cache", "Vary": choosers,
  ])
  private static let json = Fields.guarded([
    "Content-Type": "application/json", "Cache-Control": "private, no-cache",
    "Vary": choosers,
  ])
  private static let unkept = Fields.guarded([
    "Content-Type": "application/json", "Cache-Control": "no-store",
  ])
  private static let events = Fields.guarded([
    "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
    "Vary": choosers,
  ])
  private static let problem = Fields.guarded([
    "Content-Type": "application/problem+json", "Cache-Control": "private, no-cache",
    "Vary": choosers,
  ])

  private func response(_ status: Int, _ fields: Fields, _ body: [UInt8] = []) -> Response {
    var response = Response(status: status, fields: fields, body: body)
    response.route = route
    response.token = caller.token?.halves
    share(&response)
    return response
  }

  /// Adds what browsers read of who may read the answer.
  func share(_ response: inout Response) {
    guard crossOrigin.count > 0 else { return }
    for (name, value) in crossOrigin.all { response.fields.append(name, value) }
  }

  func response(_ status: Int = 200, json body: [UInt8]) -> Response {
    response(status, fields(from: Self.json), body)
  }

  /// An answer that nobody may keep.
  func secret(_ status: Int, json body: [UInt8]) -> Response {
    response(status, fields(from: Self.unkept), body)
  }

  /// The answer with a strong validator.
  func response(_ status: Int = 200, json body: [UInt8], revision: Revision) -> Response {
    var response = response(status, json: body)
    response.fields.append("ETag", "\"\(tag(revision))\"")
    return response
  }

  private static let photo = Fields.guarded([
    "Cache-Control": "private, max-age=31536000, immutable",
    "Vary": "Authorization, Rowhouse-Inventory",
    "Accept-Ranges": "bytes",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  ])

  /// The entity tag of a photo's bytes, without its quotes: they are the same for everybody.
  func tag(of photo: Photo) -> String { String(photo.revision.number) }

  /// The head of an answer about a photo's bytes.
  func response(_ status: Int, of photo: Photo) -> Response {
    var fields = Self.photo
    if status != 304 { fields.append("Content-Type", photo.image.type.mediaType) }
    fields.append("ETag", "\"\(tag(of: photo))\"")
    fields.append("X-Request-Id", requestID)
    return response(status, fields)
  }

  /// A text for a program, which nobody may keep.
  func text(_ type: String, _ body: [UInt8]) -> Response {
    let base = Fields.guarded(["Cache-Control": "no-store"])
    var fields = fields(from: base)
    fields.append("Content-Type", type)
    return response(200, fields, body)
  }

  /// An answer that is to be kept as a file.
  func file(_ type: String, named name: String, _ source: any BodySource) -> Response {
    var fields = fields(from: Self.untyped)
    fields.append("Content-Type", type)
    fields.append("Content-Disposition", "attachment; filename=\"\(name)\"")
    var response = response(200, fields)
    response.body = .stream(source)
    return response
  }

  func notModified(_ revision: Revision) -> Response {
    var response = empty(304)
    response.fields.append("ETag", "\"\(tag(revision))\"")
    return response
  }

  /// A stream of events, which proxies are to pass on as it comes.
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

  /// The statuses of answers to what is too much, too large or too slow.
  private static let limits: Set<Int> = [408, 413, 414, 429, 431, 503, 507]

  /// The answer to what the server itself found wrong, by its own code.
  func refusal(_ status: Int, code: String, detail: String) -> Response {
    var response = response(Problem(.internalError, status: status, detail))
    if status == 503 { response.fields.append("Retry-After", "1") }
    response.body = .bytes(body(code: code, status: status, detail: detail))
    if response.refusal != nil { response.refusal = code }
    return response
  }
}

extension Fields {
  /// The fields with those that every answer has for browsers: they take its type at its word, and no page of another
  /// origin may embed it.
  static func guarded(_ fields: Fields) -> Fields {
    var fields = fields
    fields.append("X-Content-Type-Options", "nosniff")
    fields.append("Cross-Origin-Resource-Policy", "same-origin")
    return fields
  }
}
