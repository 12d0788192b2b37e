import HTTP

/// One request of the table of who may do what.
struct AccessLine: Sendable {
  /// `GET /v1/lists/{listId}/rows`, as the table of routes has it.
  let route: String
  let rule: AccessRule
  /// Behind the path, where the plain request would not be answered.
  var query = ""
  /// The status for those who may.
  var success = 200
  /// Names such as `LIST` stand for ids; see `AccessWorld.Names`.
  var body: String?
  var type: String?
  /// The values of `{itemId}` and `{rowId}`.
  var row = "ITEM"

  init(
    _ route: String, _ rule: AccessRule, _ query: String = "", _ success: Int = 200,
    body: String? = nil, type: String? = nil, row: String = "ITEM"
  ) {
    self.route = route
    self.rule = rule
    self.query = query
    self.success = success
    self.body = body
    self.type = type
    self.row = row
  }

  /// What the row of the table is called.
  var title: String { query.contains("mode=replace") ? route + "?mode=replace" : route }

  var method: HTTP.Method { HTTP.Method(String(route.prefix { $0 != " " })) }

  var template: String { String(route.drop { $0 != "/" }) }

  /// The path and the query, with names in the place of ids.
  var target: String {
    Paths.path(template) { placeholder in
      switch placeholder {
      case "{listId}": "LIST"
      case "{itemId}", "{rowId}": row
      case "{photoId}": "PHOTO"
      case "{revision}": "REVISION"
      case "{tokenId}": "TOKEN"
      case "{navigatorId}": "NAVIGATOR"
      case "{inventoryId}": "INVENTORY"
      default: nil
      }
    } + query
  }

  /// The bytes of a photo, for the one request that has no text.
  static let photo = "A PHOTO"
  /// The bytes of a rendition of the photo, with the size 96.
  static let rendition = "A RENDITION"
  /// An export of the list, to be imported again.
  static let export = "AN EXPORT"
  /// The same of the list beside it.
  static let outsideExport = "ANOTHER EXPORT"
}
