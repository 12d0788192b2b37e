import Foundation
import JSON
import Support
import Testing

@Suite("Every line of the README works as written")
struct ReadmeTests {
  /// What each block's answer has, at a JSON Pointer.
  private static let expected: [(name: String, pointer: String, value: JSONValue)] = [
    ("rows", "/rows/0/title", "No more items!"),
    ("add-list", "/title", "Workshop"),
    ("add-sublist", "/title", "Shelf"),
    ("add-thing", "/index", 1),
    ("add-first", "/index", 0),
    ("drag", "/deltas/0/moves", [["from": 2, "to": 0]]),
    ("move", "/deltas/1/inserts/0/row/title", "Saw"),
    ("edit", "/name", "Claw hammer"),
    ("guard", "/notes", "Lent to the neighbours"),
    ("sort", "/deltas/0/moves", [["from": 0, "to": 1]]),
    ("view", "/rows/0/title", "Shelf"),
    ("search", "/hits/0/title", "Claw hammer"),
    ("page", "/rows/0/title", "Shelf"),
    ("where", "/path/2/title", "Shelf"),
    ("delete", "/deltas/0/deletes", [0]),
    ("delete-list", "/deltas/0/deletes", [0]),
  ]

  @Test func `from top to bottom, on a fresh server`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database)
    // Has curl fail where the server refuses, without a word more on its line.
    try Data("fail-with-body\nshow-error\n".utf8).write(
      to: URL(fileURLWithPath: folder.file(".curlrc")))
    let readme = try Readme()
    let blocks = readme.shell
    let setup = try #require(blocks.first)
    #expect(blocks.map(\.name) == ["setup"] + Self.expected.map(\.name))

    for (block, expected) in zip(blocks.dropFirst(), Self.expected) {
      let script = "set -euo pipefail\n\(setup.text)\n\(block.text)\n"
      let result = try Rowhouse.run(
        "/bin/bash", ["-c", script],
        environment: ["ROWHOUSE": server.url, "CURL_HOME": folder.path])
      #expect(result.ending == .exit(0), "\(block.name): \(result.output) \(result.errors)")
      #expect(result.errors.isEmpty, "\(block.name)")
      let line = result.output.split(separator: "\n").first ?? ""
      let answer = try JSONReader.parse(Array(line.utf8))
      #expect(
        JSONPointer(text: expected.pointer)?.evaluate(answer) == expected.value, "\(block.name)")
      if block.name == "drag" { try compare(answer, with: readme) }
    }
    #expect(try server.connect().rows(of: "root").isEmpty)
  }

  /// The receipt that the README shows is the one that comes, but for the ids.
  private func compare(_ receipt: JSONValue, with readme: Readme) throws {
    let block = try #require(readme.blocks.first { $0.label == "json" })
    let shown = try JSONReader.parse(Array(block.text.utf8))
    let ids: JSONValue = ["requestId": "", "deltas": []]
    #expect(MergePatch.apply(ids, to: shown) == MergePatch.apply(ids, to: receipt))
    let delta = JSONPointer(tokens: ["deltas", "0"])
    let withoutList: JSONValue = ["listId": ""]
    #expect(
      MergePatch.apply(withoutList, to: delta.evaluate(shown) ?? .null)
        == MergePatch.apply(withoutList, to: delta.evaluate(receipt) ?? .null))
  }

  @Test func `what it names is there`() throws {
    let text = try String(contentsOfFile: Rowhouse.sourceFolder + "/README.md", encoding: .utf8)
    let links = text.matches(of: /\]\(([A-Za-z.]+)\)/).map { String($0.1) }
    #expect(!links.isEmpty)
    let scripts = text.matches(of: /(?m)^ {4}(scripts\/\w+)/).map { String($0.1) }
    #expect(scripts == ["scripts/run", "scripts/test"])
    for file in links + scripts {
      #expect(
        FileManager.default.fileExists(atPath: Rowhouse.sourceFolder + "/" + file), "\(file)")
    }
  }
}
