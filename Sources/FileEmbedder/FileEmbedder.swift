import Foundation

/// Writes a Swift file with the files of a folder as literals: `file-embedder FOLDER OUTPUT`.
///
/// A string literal compiles at once. An array literal of the same bytes takes minutes and gigabytes.
@main
struct FileEmbedder {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      throw Failure("usage: file-embedder FOLDER OUTPUT")
    }
    let folder = URL(fileURLWithPath: arguments[1])
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    var entries: [String] = []
    for path in paths {
      let file = folder.appendingPathComponent(path)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      entries.append("    (\(literal(path)), \(literal(try text(of: file)))),\n")
    }
    let source = """
      enum EmbeddedFiles {
        /// The path of each file below its folder, and its text.
        static let all: [(path: String, content: StaticString)] = [
      \(entries.joined())  ]
      }

      """
    try Data(source.utf8).write(to: URL(fileURLWithPath: arguments[2]))
  }

  private static func text(of file: URL) throws -> String {
    guard let text = String(data: try Data(contentsOf: file), encoding: .utf8) else {
      throw Failure("\(file.path) is not UTF-8: only text is embedded")
    }
    return text
  }

  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case let scalar where scalar.value < 0x20 || scalar.value == 0xFEFF:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
