import WebApp

/// The path prefix under which a proxy serves this server, such as `/rowhouse`; empty for none.
///
/// Requests may arrive with the prefix, or without it if the proxy strips it. `path` adds it to every path that the
/// server writes.
package final class BasePath: Sendable {
  package let text: String
  let bytes: [UInt8]
  /// The pages and the OpenAPI document with links below the prefix, by their unprefixed paths.
  private let files: [String: WebFile]

  package static let none = BasePath()

  private init() {
    text = ""
    bytes = []
    files = [:]
  }

  /// Nil unless the text is a path of unescaped segments that begins with a slash and does not end with one.
  package init?(_ text: String) {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count > 1, segments[0].isEmpty,
      segments.dropFirst().allSatisfy({ Self.isSegment($0) })
    else { return nil }
    self.text = text
    bytes = Array(text.utf8)
    let linking = WebFile.all.filter(\.isPage) + [OpenAPIDocument.file]
    files = Dictionary(
      uniqueKeysWithValues: linking.map { file in
        let content = String(decoding: file.bytes, as: UTF8.self)
          .replacing("=\"/", with: "=\"\(text)/")
          .replacing(#""url":"/""#, with: #""url":"\#(text)""#)
        return (
          file.path,
          WebFile(path: file.path, mediaType: file.mediaType, bytes: Array(content.utf8))
        )
      })
  }

  private static func isSegment(_ segment: Substring) -> Bool {
    !segment.isEmpty && segment != "." && segment != ".."
      && segment.hasOnlyLettersDigits(and: "-_.~")
  }

  /// The path with the prefix, for clients.
  func path(_ path: String) -> String { text + path }

  /// The file as served below the prefix.
  func file(_ file: WebFile) -> WebFile { files[file.path] ?? file }
}
