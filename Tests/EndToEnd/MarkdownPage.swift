import Foundation

/// A Markdown file of the project and its fenced blocks of code.
struct MarkdownPage {
  struct Block: Sendable {
    /// The text after the fence: `sh drag`, `json`.
    let label: String
    let text: String
  }

  let text: String
  let blocks: [Block]

  init(_ name: String) throws {
    text = try String(contentsOfFile: Rowhouse.sourceFolder + "/" + name, encoding: .utf8)
    var blocks: [Block] = []
    var open: (label: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.hasPrefix("```") {
        open?.lines.append(line)
      } else if let (label, lines) = open {
        blocks.append(Block(label: label, text: lines.joined(separator: "\n")))
        open = nil
      } else {
        open = (String(line.dropFirst(3)), [])
      }
    }
    self.blocks = blocks
  }

  /// The blocks for a shell, in order, each with the name after its fence.
  var shell: [(name: String, text: String)] {
    blocks.filter { $0.label.hasPrefix("sh ") }.map { (String($0.label.dropFirst(3)), $0.text) }
  }
}
