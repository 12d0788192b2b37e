import Foundation
import Testing

/// What the articles show is compiled with these tests, and tried by `TableTests`.
@Suite struct ArticleTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let sources = tests.appendingPathComponent("../../../Sources")
  static let articles: [(path: String, hasCode: Bool)] = [
    ("RowhouseClient/RowhouseClient.docc/FirstList.md", true),
    ("RowhouseClient/RowhouseClient.docc/WiringATableView.md", true),
    ("RowhouseClient/RowhouseClient.docc/WorkingOffline.md", true),
    ("RowhouseClient/RowhouseClient.docc/RowhouseClient.md", false),
    ("RowhouseClient/RowhouseClient.docc/Rowhouse.md", false),
    ("RowhouseTesting/RowhouseTesting.docc/RowhouseTesting.md", true),
  ]

  @Test(arguments: articles)
  func `An article's code is in a file that is compiled`(
    article: (path: String, hasCode: Bool)
  ) throws {
    let text = try String(
      contentsOf: Self.sources.appendingPathComponent(article.path), encoding: .utf8)
    let compiled = try FileManager.default.contentsOfDirectory(atPath: Self.tests.path)
      .filter { $0.hasSuffix(".swift") && $0 != "ArticleTests.swift" }.map {
        lines(
          try String(contentsOf: Self.tests.appendingPathComponent($0), encoding: .utf8))
      }
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
      lines($0.components(separatedBy: "```")[0])
    }
    #expect(blocks.isEmpty != article.hasCode)
    for block in blocks {
      #expect(
        compiled.contains { $0.contains(block) },
        "\(article.path): \(block.joined(separator: "\n"))")
    }
  }

  /// Without what an article and a file indent, import and leave blank each in its own way.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      !$0.isEmpty && !$0.hasPrefix("import ")
    }
  }
}
