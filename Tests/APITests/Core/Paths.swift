/// Paths made from the templates of routes.
enum Paths {
  private static let unknown = "00000000-0000-4000-8000-000000000000"

  /// The default value of each placeholder.
  static let samples = [
    "{listId}": "root", "{itemId}": unknown, "{tokenId}": unknown, "{rowId}": unknown,
    "{index}": "0", "{code}": "cycle", "{photoId}": unknown, "{size}": "96", "{revision}": "1",
    "{navigatorId}": unknown, "{inventoryId}": unknown, "{invitationId}": unknown,
  ]

  static func sample(of template: String) -> String { path(template) { _ in nil } }

  /// A template's path with what the closure says for placeholders, or else the sample.
  static func path(_ template: String, _ value: (String) -> String?) -> String {
    "/"
      + template.split(separator: "/").map { segment in
        let segment = String(segment)
        return value(segment) ?? samples[segment] ?? segment
      }.joined(separator: "/")
  }
}
