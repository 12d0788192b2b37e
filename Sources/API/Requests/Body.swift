import HTTP
import JSON

/// A request's body as JSON.
enum Body {
  /// The object that the body is; nil where the body is empty and may be.
  ///
  /// - Throws: 415 for another type, 400 for what is no JSON, 422 for JSON that is no object.
  static func object(
    of request: Request, _ rule: RouteDescription.BodyRule, maximumDepth: Int
  ) throws(Problem) -> JSONObject? {
    if request.body.isEmpty, rule == .optional || rule == .none { return nil }
    try checkType(of: request.head, isEmpty: request.body.isEmpty)
    guard !request.body.isEmpty else {
      throw Problem(.malformedJSON, "The body is missing; a JSON object is read here.")
    }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.parse(request.body, maximumDepth: maximumDepth)
    } catch {
      throw Problem(
        .malformedJSON,
        "\(error.reason.sentence) At byte \(error.offset), line \(error.line), column \(error.column)."
      )
    }
    guard case .object(let object) = value else {
      throw .invalid([.member([], "The body is to be an object.")])
    }
    return object
  }

  /// - Throws: 415 for another type than these, or in another charset than UTF-8.
  static func requireType(of head: RequestHead, among types: [String]) throws(Problem) {
    if let coding = head.fields["content-encoding"], coding.trimmed.lowercased() != "identity" {
      throw Problem(.unsupportedMediaType, "Content-Encoding: bodies are read as they are only.")
    }
    let fields = head.fields.values("content-type")
    let parts = fields.first?.split(separator: ";").map { $0.trimmed.lowercased() } ?? []
    let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }
    let isUTF8 = charsets.allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    guard fields.count == 1, let type = parts.first, types.contains(type), isUTF8 else {
      throw Problem(
        .unsupportedMediaType,
        "Content-Type is \(fields.first.map { String($0) } ?? "missing"); \(types[0]) in UTF-8 is read."
      )
    }
  }

  private static func checkType(of head: RequestHead, isEmpty: Bool) throws(Problem) {
    if let coding = head.fields["content-encoding"], coding.trimmed.lowercased() != "identity" {
      throw Problem(.unsupportedMediaType, "Content-Encoding: bodies are read as they are only.")
    }
    guard head.fields.values("content-type").count <= 1 else {
      throw Problem(.unsupportedMediaType, "Content-Type stands there twice.")
    }
    guard let field = head.fields["content-type"] else {
      // Nothing has no type: that nothing is no JSON is then what is wrong.
      if isEmpty { return }
      throw Problem(.unsupportedMediaType, "Content-Type is missing; application/json is read.")
    }
    let parts = field.split(separator: ";").map { $0.trimmed.lowercased() }
    let isKnown =
      parts.first == "application/json"
      || parts.first == "application/merge-patch+json" && head.method == .patch
    let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }
    let isUTF8 = charsets.allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    guard isKnown, isUTF8 else {
      throw Problem(
        .unsupportedMediaType,
        "Content-Type is \(field); application/json in UTF-8 is read"
          + (head.method == .patch ? ", and application/merge-patch+json." : "."))
    }
  }
}
