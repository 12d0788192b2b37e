/// An embedded file for browsers.
package struct WebFile: Sendable {
  /// The bytes of the file in one content coding (RFC 9110 §8.4.1).
  package struct Form: Sendable {
    /// `gzip` or `br`. Nil for the file as it is.
    package let coding: String?
    /// The entity tag without quotes. It changes with the bytes, and differs in each coding.
    package let tag: String
    package let bytes: [UInt8]
  }

  /// The path on the server: `/docs` for `docs/index.html`, `/docs/docs.js` for `docs/docs.js`.
  package let path: String
  package let mediaType: String
  /// The forms that the build has made, the smallest first. The last one is the file as it is.
  package let forms: [Form]

  package static let all = EmbeddedFiles.all.map {
    WebFile($0.path, $0.content, isText: $0.isText, [("br", $0.brotli), ("gzip", $0.gzip)])
  }

  /// The words of the code that the first screen needs. Among them are the names of its texts.
  package static let wordsOfFirstScreen: Set<String> = {
    let code = all.first { $0.isImmutable && $0.path.hasSuffix("/app.js") }?.bytes ?? []
    // Without case, the letters are a to z.
    let words = code.split { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return Set(words.map { String(decoding: $0, as: UTF8.self) })
  }()

  /// - Parameter encoded: the compressed bytes by their codings.
  package init(
    path: String, mediaType: String, bytes: [UInt8],
    encoded: [(coding: String, bytes: [UInt8])] = []
  ) {
    self.path = path
    self.mediaType = mediaType
    let tag = Self.checksum(bytes)
    let compressed = encoded.filter { $0.bytes.count < bytes.count }
      .sorted { $0.bytes.count < $1.bytes.count }
      .map { Form(coding: $0.coding, tag: "\(tag)-\($0.coding)", bytes: $0.bytes) }
    forms = compressed + [Form(coding: nil, tag: tag, bytes: bytes)]
  }

  init(
    _ file: String, _ content: StaticString, isText: Bool,
    _ encoded: [(coding: String, scalars: StaticString?)]
  ) {
    let name = file.split(separator: "/").last ?? ""
    self.init(
      path: "/" + (name == "index.html" ? file.dropLast("/index.html".count) : file[...]),
      mediaType: Self.mediaType(name),
      bytes: isText ? content.withUTF8Buffer { Array($0) } : Self.bytes(of: content),
      encoded: encoded.compactMap { coding, scalars in
        scalars.map { (coding, Self.bytes(of: $0)) }
      })
  }

  /// The bytes that the build has written as the scalars of a text.
  private static func bytes(of scalars: StaticString) -> [UInt8] {
    scalars.withUTF8Buffer { text in
      String(decoding: text, as: UTF8.self).unicodeScalars.map {
        UInt8(truncatingIfNeeded: $0.value)
      }
    }
  }

  /// The file as it is.
  package var bytes: [UInt8] { forms.last?.bytes ?? [] }

  /// Whether the path names the bytes, so that they never change.
  package var isImmutable: Bool { path.hasPrefix("/app-") }

  private static func mediaType(_ name: Substring) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "ts": "application/typescript; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    default: "text/plain; charset=utf-8"
    }
  }

  package var isPage: Bool { mediaType.hasPrefix("text/html") }

  /// The 64-bit FNV-1a hash in hexadecimal digits. It distinguishes the versions of one text, and is not secure.
  package static func checksum(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(sum, radix: 16)
  }
}
