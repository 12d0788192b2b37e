/// An embedded file for browsers.
package struct WebFile: Sendable {
  /// The path on the server: `/docs` for `docs/index.html`, `/docs/docs.js` for `docs/docs.js`.
  package let path: String
  package let mediaType: String
  /// The entity tag without quotes. It changes with the bytes.
  package let tag: String
  package let bytes: [UInt8]

  package static let all = EmbeddedFiles.all.map { WebFile($0.path, $0.content) }

  package init(path: String, mediaType: String, bytes: [UInt8]) {
    self.path = path
    self.mediaType = mediaType
    self.bytes = bytes
    tag = Self.checksum(bytes)
  }

  init(_ file: String, _ content: StaticString) {
    let name = file.split(separator: "/").last ?? ""
    self.init(
      path: "/" + (name == "index.html" ? file.dropLast("/index.html".count) : file[...]),
      mediaType: Self.mediaType(name), bytes: content.withUTF8Buffer { Array($0) })
  }

  private static func mediaType(_ name: Substring) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "ts": "application/typescript; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    default: "text/plain; charset=utf-8"
    }
  }

  package var isPage: Bool { mediaType.hasPrefix("text/html") }

  /// The 64-bit FNV-1a hash in hexadecimal digits. It only tells versions of one text apart.
  package static func checksum(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(sum, radix: 16)
  }
}
