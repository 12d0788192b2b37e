import FoundationEssentials
import HTTP
import Inventory

/// The header fields of every HTML response. A page may run only this server's scripts and styles, connect only to
/// this server, and not be framed by another page (https://www.w3.org/TR/CSP3/).
///
/// `ResponseContext.page` creates a response with them.
enum PageHeaders {
  static let fields = fields(policy: policy())

  /// The fields of a page with one `style` element of exactly this text.
  static func fields(style: String) -> Fields {
    let digest = Data(SHA256.digest(of: Array(style.utf8))).base64EncodedString()
    return fields(policy: policy(style: " 'sha256-\(digest)'"))
  }

  private static func policy(style: String = "") -> String {
    "default-src 'none'; script-src 'self'; style-src 'self'\(style); img-src 'self' blob: data:; "
      + "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
      + "form-action 'none'"
  }

  private static func fields(policy: String) -> Fields {
    [
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    ]
  }
}

extension ResponseContext {
  /// An HTML page.
  ///
  /// - Parameter fields: fields made by `PageHeaders`.
  func page(_ html: [UInt8], _ fields: Fields = PageHeaders.fields) -> Response {
    var response = empty(200)
    for (name, value) in fields.all { response.fields.append(name, value) }
    response.body = .bytes(html)
    return response
  }
}
