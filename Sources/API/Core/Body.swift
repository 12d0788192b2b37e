import HTTP
import JSON

/// Parses request bodies as JSON.
enum Body {
  static let patchTypes = ["application/json", "application/merge-patch+json"]

  /// The body as an object. Nil if the body is empty and the rule allows that.
  ///
  /// - Throws: 415 for another media type, 400 for malformed JSON, 422 for JSON that is not an object.
  static func object(
    _ body: [UInt8], of head: RequestHead, _ rule: Route.BodyRule, maximumDepth: Int
  ) throws(Problem) -> JSONObject? {
    if body.isEmpty, rule == .optional || rule == .none { return nil }
    // An empty body needs no Content-Type: the missing JSON is then the error.
    if !body.isEmpty || head.fields["content-type"] != nil {
      try requireType(
        of: head, among: head.method == .patch ? patchTypes : ["application/json"])
    }
    guard !body.isEmpty else {
      throw Problem(.malformedJSON, "The body is missing. Send a JSON object.")
    }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.parse(body, maximumDepth: maximumDepth)
    } catch {
      throw Problem(
        .malformedJSON,
        "\(error.reason.sentence) At byte \(error.offset), line \(error.line), column \(error.column)."
      )
    }
    guard case .object(let object) = value else {
      throw .invalid([.member([], "Send a JSON object.")])
    }
    return object
  }

  /// Returns the charset of the Content-Type in lower case, or nil if it names none.
  ///
  /// - Throws: 415 for an unlisted type or charset, a missing or repeated Content-Type, or an encoded body.
  @discardableResult
  static func requireType(
    of head: RequestHead, among types: [String], in charsets: [String] = ["utf-8"]
  ) throws(Problem) -> String? {
    try refuseCoding(of: head)
    let fields = head.fields.values("content-type")
    guard fields.count <= 1 else {
      throw Problem(.unsupportedMediaType, "Send Content-Type only once.")
    }
    var known: String { types.joined(separator: " or ") }
    guard let field = fields.first else {
      throw Problem(.unsupportedMediaType, "Content-Type is missing. Send \(known).")
    }
    let parts = field.split(separator: ";").map { $0.trimmed.lowercased() }
    let given = parts.dropFirst().filter { $0.hasPrefix("charset=") }
    let named = given.map { text in
      charsets.first { text == "charset=\($0)" || text == "charset=\"\($0)\"" }
    }
    // Two different charsets are ambiguous.
    let isKnown = !named.contains(nil) && Set(named).count <= 1
    guard let type = parts.first, types.contains(type), isKnown else {
      throw Problem(
        .unsupportedMediaType,
        "Content-Type is \(field). Send \(known) in \(charsets.joined(separator: ", ").uppercased())."
      )
    }
    return named.first ?? nil
  }

  /// - Throws: 415 for a compressed or otherwise encoded body.
  static func refuseCoding(
    of head: RequestHead, _ code: ProblemCode = .unsupportedMediaType
  ) throws(Problem) {
    guard let coding = head.fields.list("content-encoding"),
      coding.trimmed.lowercased() != "identity"
    else { return }
    throw Problem(code, "Send the body without Content-Encoding.")
  }
}
