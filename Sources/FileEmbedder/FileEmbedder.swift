import Foundation

/// Writes a Swift file with the files of a folder as literals: `file-embedder FOLDER OUTPUT`.
///
/// In a folder with `modules/main.js`, the modules are also put into a bundle, and all text files are compressed.
///
/// A string literal compiles at once. An array literal of the same bytes takes minutes and gigabytes.
@main
struct FileEmbedder {
  static func main() {
    do { try embed(CommandLine.arguments) } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func embed(_ arguments: [String]) throws {
    guard arguments.count == 3 else {
      throw Failure("usage: file-embedder FOLDER OUTPUT")
    }
    let output = URL(fileURLWithPath: arguments[2])
    var (files, binaries) = try contents(of: URL(fileURLWithPath: arguments[1]))
    var compressor: Compressor?
    if files[mainModule] != nil {
      try bundle(&files)
      compressor = try Compressor(folder: output.deletingLastPathComponent())
    }
    let texts = try files.sorted { $0.key < $1.key }.map { path, text in
      let gzip = try compressor.map { literal(try $0.gzipped(text)) } ?? "nil"
      let brotli = try compressor?.brotlied(text).map(literal) ?? "nil"
      return "    (\(literal(path)), \(literal(text)), true, \(gzip), \(brotli)),\n"
    }
    let others = binaries.sorted { $0.key < $1.key }.map { path, bytes in
      "    (\(literal(path)), \(literal(bytes)), false, nil, nil),\n"
    }
    let source = """
      enum EmbeddedFiles {
        /// The path of each file below its folder, and its text. Bytes that are no text are the scalars of one.
        static let all: [(
          path: String, content: StaticString, isText: Bool, gzip: StaticString?, brotli: StaticString?
        )] = [
      \((texts + others).joined())  ]
      }

      """
    try Data(source.utf8).write(to: output)
  }

  private static let mainModule = "modules/main.js"

  /// Adds the bundles, the style sheets and the theme's script in a folder named after their texts, and makes the page
  /// use them.
  private static func bundle(_ files: inout [String: String]) throws {
    let bundle = try Bundle(main: mainModule, files: files)
    let style = stripped(files["style.css"] ?? "")
    let laterStyle = stripped(files["later.css"] ?? "")
    let theme = files["theme.js"] ?? ""
    let (page, worker) = (files["index.html"] ?? "", files["worker.js"] ?? "")
    let folder =
      "app-"
      + checksum(bundle.first + bundle.later + style + laterStyle + theme + page + worker)
    files["\(folder)/\(Bundle.firstName)"] = bundle.first
    files["\(folder)/\(Bundle.laterName)"] = bundle.later
    files["\(folder)/style.css"] = style
    files["\(folder)/later.css"] = laterStyle
    files["\(folder)/theme.js"] = theme
    files["worker.js"] = worker.replacing("const folder = '';", with: "const folder = '\(folder)';")
    files["index.html"] =
      page
      .replacing("\"/\(mainModule)\"", with: "\"/\(folder)/\(Bundle.firstName)\"")
      .replacing("\"/style.css\"", with: "\"/\(folder)/style.css\"")
      .replacing("\"/theme.js\"", with: "\"/\(folder)/theme.js\"")
  }

  /// A style sheet without indentation, and without comments that have lines of their own.
  private static func stripped(_ style: String) -> String {
    var isComment = false
    return style.split(separator: "\n").compactMap { line in
      let rule = line.trimmingCharacters(in: .whitespaces)
      guard isComment || rule.hasPrefix("/*") else { return rule }
      isComment = !rule.hasSuffix("*/")
      return nil
    }.joined(separator: "\n")
  }

  private static func contents(
    of folder: URL
  ) throws -> (texts: [String: String], binaries: [String: Data]) {
    var texts: [String: String] = [:]
    var binaries: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent(path)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      let bytes = try Data(contentsOf: file)
      if let text = String(data: bytes, encoding: .utf8) {
        texts[path] = text
      } else {
        binaries[path] = bytes
      }
    }
    return (texts, binaries)
  }

  /// The 64-bit FNV-1a hash in hexadecimal digits.
  private static func checksum(_ text: String) -> String {
    let sum = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(sum, radix: 16)
  }

  private static func literal(_ bytes: Data) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return literal(String(text))
  }

  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case let scalar
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
