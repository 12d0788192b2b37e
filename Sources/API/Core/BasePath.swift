import WebApp

/// The prefix of every path under which a proxy serves this server, such as `/rowhouse`; empty for none.
///
/// Requests come with it, or without it where the proxy strips it. Every path that the server writes is made
/// by `path`.
package struct BasePath: Sendable {
  package let text: String
  let bytes: [UInt8]
  /// The pages and the document with their links below the prefix, by their own paths.
  private let files: [String: WebFile]

  package static let none = BasePath()

  private init() {
    text = ""
    bytes = []
    files = [:]
  }

  /// Nil for what is no path of plain segments that begins with a slash and does not end with one.
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
      && segment.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."), UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }

  /// A path of this server as clients are to ask for it.
  func path(_ path: String) -> String { text + path }

  /// A file as it is served below the prefix.
  func file(_ file: WebFile) -> WebFile { files[file.path] ?? file }
}
