import HTTP

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
