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
    // It goes on while the others run.
    ("watch", "", .null),
    ("drag", "/deltas/0/moves", [["from": 2, "to": 0]]),
    ("move", "/deltas/1/inserts/0/row/title", "Saw"),
    ("edit", "/name", "Claw hammer"),
    ("guard", "/notes", "Lent to the neighbours"),
    ("sort", "/deltas/0/moves", [["from": 0, "to": 1]]),
    ("view", "/rows/0/title", "Shelf"),
    ("search", "/hits/0/title", "Claw hammer"),
    ("page", "/rows/0/title", "Shelf"),
    ("where", "/path/2/title", "Shelf"),
    ("screen", "/navigationBar/leading/title", "Workshop"),
    ("navigator", "/tabs/0/stack/0/navigationBar/title", "Inventory"),
    ("open", "/tabs/0/stack/2/navigationBar/title", "Shelf"),
    ("transfer", "/updated", 0),
    ("table", "/created", 0),
    ("delete", "/deltas/0/deletes", [0]),
    ("undo", "/deltas/0/inserts/0/row/title", "Saw"),
    ("delete-list", "/deltas/0/deletes", [0]),
    ("trash", "/trash/0/title", "Workshop"),
    ("share", "/role", "editor"),
  ]

  @Test func `from top to bottom, on a fresh server`() throws {
    let folder = try TemporaryFolder()
    // What is watched is compared line by line, and a slow machine may take longer than from one comment to the next.
    let server = try RunningServer(database: folder.database, ["--event-heartbeat", "24h"])
    // Has curl fail where the server refuses, without a word more on its line.
    try Data("fail-with-body\nshow-error\n".utf8).write(
      to: URL(fileURLWithPath: folder.file(".curlrc")))
    let readme = try Readme()
    let blocks = readme.shell
    let setup = try #require(blocks.first)
    #expect(blocks.map(\.name) == ["setup"] + Self.expected.map(\.name))

    var watching: ChildProcess?
    for (block, expected) in zip(blocks.dropFirst(), Self.expected) {
      if block.name == "watch" {
        watching = try watch(setup.text + "\n" + block.text, server)
        continue
      }
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
      if block.name == "trash" { #expect(try server.connect().rows(of: "root").isEmpty) }
      if block.name == "drag" {
        try compare(answer, with: readme)
        try compare(try #require(watching), with: answer, readme)
      }
    }
    // From the first token on, nobody is let in without one.
    #expect(try server.connect().get("/v1/lists").status == 401)
  }

  /// Starts a block that does not end by itself, and waits for its first lines.
  private func watch(_ script: String, _ server: RunningServer) throws -> ChildProcess {
    // In the place of the shell, so that both end together.
    let script = script.replacing("\ncurl -sN", with: "\nexec curl -sN")
    let process = try ChildProcess(
      "/bin/bash", ["-c", "set -euo pipefail\n\(script)"], environment: ["ROWHOUSE": server.url])
    return try poll("the stream to begin") { process.output.contains("\n\n") ? process : nil }
  }

  /// What the README shows of the stream has come, with the receipt's deltas.
  private func compare(
    _ watching: ChildProcess, with receipt: JSONValue, _ readme: Readme
  ) throws {
    let lines = try poll("the event") { () -> [Substring]? in
      let lines = watching.output.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.contains("event: change") && watching.output.hasSuffix("\n\n")
        ? lines : nil
    }
    let block = try #require(readme.blocks.first { $0.label == "event" })
    let shown = block.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(7) == shown.prefix(7))
    let data = try JSONReader.parse(Array((lines.dropFirst(7).first ?? "").utf8.dropFirst(6)))
    for member in ["deltas", "requestId", "revision"] { #expect(data[member] == receipt[member]) }
    let text = shown.last?.dropFirst(6).replacing("[…]", with: "[]") ?? ""
    let shownData = try JSONReader.parse(Array(text.utf8))
    guard case .object(let members) = shownData, case .object(let others) = data else {
      Issue.record("no objects: \(shownData) \(data)")
      return
    }
    #expect(members.members.map(\.key) == others.members.map(\.key))
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
