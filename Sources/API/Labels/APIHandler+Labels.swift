import HTTP
import Inventory
import JSON
import WebApp

extension Route {
  static let labels = [
    Route(.get, "/v1/items/{itemId}/label", query: ["origin"], APIHandler.itemLabel),
    Route(.get, "/v1/lists/{listId}/label", query: ["origin"], APIHandler.listLabel),
  ]
}

extension APIHandler {
  /// `GET /v1/items/{itemId}/label`
  func itemLabel(_ request: RequestContext) throws(Problem) -> Reply {
    let origin = try request.parameters { $0.origin(of: request) }
    // Drawing a code takes up to two milliseconds.
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let item = try snapshot.item(request.path.item)
      return try request.label(of: "/i/\(item.id)", origin)
    }
  }

  /// `GET /v1/lists/{listId}/label`
  func listLabel(_ request: RequestContext) throws(Problem) -> Reply {
    let origin = try request.parameters { $0.origin(of: request) }
    return read(.long, request) { (snapshot) throws(InventoryError) in
      let list = try snapshot.list(request.path.list)
      return try request.label(of: "/l/\(list.id)", origin)
    }
  }
}

extension Query {
  /// The scheme, host and port of the addresses in QR codes: the parameter `origin`, or what the request was sent to.
  /// A proxy that encrypts hides the scheme from this server, so clients behind one send the parameter.
  func origin(of request: RequestContext) -> String {
    let given = value("origin", "Send an origin of at most 200 characters: https://things.example")
    {
      text in
      text.utf8.count <= 200 && text.hasPrefix("http") ? Origin(text: text)?.text : nil
    }
    return given ?? "http://" + (request.head.fields["host"] ?? "localhost")
  }
}

extension RequestContext {
  /// The QR code of an address of the web app.
  ///
  /// - Throws: `invalid` if the address is too long for a code.
  func qrCode(of path: String, _ origin: String) throws(InventoryError) -> QRCode {
    guard let code = QRCode(origin + context.base.path(path)) else {
      throw .invalid([FieldError(["origin"], "The address is too long for a QR code.")])
    }
    return code
  }

  fileprivate func label(of path: String, _ origin: String) throws(InventoryError) -> Response {
    let bytes = Array(try qrCode(of: path, origin).svg.utf8)
    let tag = WebFile.checksum(bytes)
    return holds(tag: tag) ? context.notModified(tag: tag) : context.drawing(bytes, tag: tag)
  }
}
