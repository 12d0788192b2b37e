import Foundation

extension Rowhouse {
  /// A QR code with the address of an item in the web app, as an SVG document.
  public func label(ofItem item: Item.ID) async throws(RowhouseError) -> Data {
    try await perform(.get("/v1/items/\(item)/label", [("origin", origin)])).0
  }

  /// A QR code with the address of a list in the web app, as an SVG document.
  public func label(ofList list: List.ID) async throws(RowhouseError) -> Data {
    try await perform(.get("/v1/lists/\(list)/label", [("origin", origin)])).0
  }

  /// The scheme, host and port of the server, as browsers write them. For addresses in QR codes.
  var origin: String? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    parts.user = nil
    parts.password = nil
    parts.path = ""
    parts.query = nil
    parts.fragment = nil
    if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
    return parts.string?.lowercased()
  }
}
