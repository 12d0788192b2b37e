import Foundation
import JSON
import Support
import Testing

@Suite("Every line of README and GUIDE works as written")
struct DocumentTests {
  /// A page, and for each of its blocks what the first line of the answer has at a JSON Pointer.
  struct Case: Sendable {
    let page: String
    let blocks: [(name: String, pointer: String, value: JSONValue)]
  }

  private static let cases = [
    Case(
      page: "README.md",
      blocks: [
        ("rows", "/rows/0/title", "No more items!"),
        ("add-list", "/title", "Workshop"),
        ("add-sublist", "/title", "Shelf"),
        ("add-item", "/index", 1),
        // It goes on while the others run.
        ("watch", "", .null),
        ("drag", "/deltas/0/moves", [["from": 0, "to": 1]]),
        ("move", "/deltas/1/inserts/0/row/title", "Hammer"),
        ("edit", "/name", "Claw hammer"),
        ("search", "/hits/0/title", "Claw hammer"),
        ("delete", "/deltas/0/deletes", [0]),
        ("undo", "/deltas/0/inserts/0/row/title", "Claw hammer"),
      ]),
    Case(
      page: "GUIDE.md",
      blocks: [
        ("list", "/title", "Workshop"),
        ("sublist", "/title", "Shelf"),
        ("add", "/index", 1),
        ("add-first", "/index", 0),
        ("page", "/rows/0/title", "Saw"),
        ("where", "/path/1/title", "Workshop"),
        ("guard", "/notes", "Lent to the neighbours"),
        ("rename", "/title", "Top shelf"),
        ("contents", "/title", "Hammer"),
        ("delete-list", "/deltas/0/deletes", [1]),
        ("target", "/to", 1),
        ("batch", "/results/inserts/0/name", "Awl"),
        ("sort", "/deltas/0/countAfter", 3),
        ("view", "/rows/0/title", "Hammer"),
        ("watch", "", .null),
        ("drag", "/deltas/0/moves", [["from": 2, "to": 0]]),
        ("catch-up", "/deltas/0/inserts/0/row/title", "Awl"),
        ("search", "/hits/0/title", "Hammer"),
        ("tags", "/count", 0),
        ("screen", "/navigationBar/leading/title", "Inventory"),
        ("start", "/list/navigationBar/title", "Inventory"),
        ("navigator", "/tabs/0/stack/0/navigationBar/title", "Inventory"),
        ("open", "/tabs/0/stack/1/navigationBar/title", "Workshop"),
        ("photo", "/type", "image/gif"),
        ("label", "/type", "image/svg+xml"),
        ("transfer", "/updated", 0),
        ("table", "/created", 0),
        ("columns", "/created", 1),
        ("find", "/count", 0),
        ("delete", "/deltas/0/deletes", [1]),
        ("undo", "/deltas/0/inserts/0/row/title", "Saw"),
        ("trash", "/trash/0/title", "Top shelf"),
        ("restore", "/deltas/0/inserts/0/row/title", "Top shelf"),
        ("offline", "/outcomes/1/overwritten/name", "Hammer"),
        ("share", "/role", "editor"),
      ]),
  ]

  @Test(arguments: cases) func `from top to bottom, on a new server`(_ documented: Case) throws {
    let folder = try TemporaryFolder()
    // The event stream is compared line by line, and a slow machine may take longer than one heartbeat.
    let server = try RunningServer(database: folder.database, ["--event-heartbeat", "24h"])
    // Makes curl fail where the server refuses.
    try Data("fail-with-body\nshow-error\n".utf8).write(
      to: URL(fileURLWithPath: folder.file(".curlrc")))
    let page = try MarkdownPage(documented.page)
    let blocks = page.shell
    let setup = try #require(blocks.first)
    #expect(blocks.map(\.name) == ["setup"] + documented.blocks.map(\.name))

    var watching: ChildProcess?
    for (block, expected) in zip(blocks.dropFirst(), documented.blocks) {
      if block.name == "watch" {
        watching = try watch(setup.text + "\n" + block.text, server)
        continue
      }
      let script = "set -euo pipefail\n\(setup.text)\n\(block.text)\n"
      // The blocks write files to the home folder.
      let result = try Rowhouse.run(
        "/bin/bash", ["-c", script],
        environment: ["ROWHOUSE": server.url, "CURL_HOME": folder.path, "HOME": folder.path])
      #expect(result.ending == .exit(0), "\(block.name): \(result.output) \(result.errors)")
      #expect(result.errors.isEmpty, "\(block.name)")
      let line = result.output.split(separator: "\n").first ?? ""
      let answer = try JSONReader.parse(Array(line.utf8))
      #expect(
        JSONPointer(text: expected.pointer)?.evaluate(answer) == expected.value, "\(block.name)")
      if block.name == "drag" {
        if documented.page == "GUIDE.md" { try compare(answer, with: page) }
        try compare(try #require(watching), with: answer, page)
      }
    }
    if documented.blocks.last?.name == "share" {
      // After the first token is created, a request without one is refused.
      #expect(try server.connect().get("/v1/lists").status == 401)
    }
  }

  /// Starts a block that does not end by itself, and waits for its first lines.
  private func watch(_ script: String, _ server: RunningServer) throws -> ChildProcess {
    // In the place of the shell, so that both end together.
    let script = script.replacing("\ncurl -sN", with: "\nexec curl -sN")
    let process = try ChildProcess(
      "/bin/bash", ["-c", "set -euo pipefail\n\(script)"], environment: ["ROWHOUSE": server.url])
    return try poll("the stream to begin") { process.output.contains("\n\n") ? process : nil }
  }

  /// Expects that the stream has sent the receipt's deltas, in the form that the page shows if it shows one.
  private func compare(
    _ watching: ChildProcess, with receipt: JSONValue, _ page: MarkdownPage
  ) throws {
    let lines = try poll("the event") { () -> [Substring]? in
      let lines = watching.output.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.contains("event: change") && watching.output.hasSuffix("\n\n")
        ? lines : nil
    }
    let sent = try #require(lines.last { $0.hasPrefix("data: ") })
    let data = try JSONReader.parse(Array(sent.utf8.dropFirst(6)))
    for member in ["deltas", "requestId", "revision"] { #expect(data[member] == receipt[member]) }
    guard let block = page.blocks.first(where: { $0.label == "event" }) else { return }
    let shown = block.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(shown.count - 1) == shown.dropLast())
    let text = shown.last?.dropFirst(6).replacing("[…]", with: "[]") ?? ""
    let shownData = try JSONReader.parse(Array(text.utf8))
    guard case .object(let members) = shownData, case .object(let others) = data else {
      Issue.record("no objects: \(shownData) \(data)")
      return
    }
    #expect(members.members.map(\.key) == others.members.map(\.key))
  }

  /// Expects that the page shows this receipt, except for the ids.
  private func compare(_ receipt: JSONValue, with page: MarkdownPage) throws {
    let block = try #require(page.blocks.first { $0.label == "json" })
    let shown = try JSONReader.parse(Array(block.text.utf8))
    let ids: JSONValue = ["requestId": "", "deltas": []]
    #expect(MergePatch.apply(ids, to: shown) == MergePatch.apply(ids, to: receipt))
    let delta = JSONPointer(tokens: ["deltas", "0"])
    let withoutList: JSONValue = ["listId": ""]
    #expect(
      MergePatch.apply(withoutList, to: delta.evaluate(shown) ?? .null)
        == MergePatch.apply(withoutList, to: delta.evaluate(receipt) ?? .null))
  }

  @Test func `the lines about tests, on a server in test mode`() throws {
    let page = try MarkdownPage("GUIDE.md")
    let blocks = page.blocks.filter { $0.label.hasPrefix("bash ") }
    let expected: [(name: String, pointer: String, value: JSONValue)] = [
      ("fail", "/rules/0/effect", "loseAnswer"), ("lost", "", "no answer"),
      ("again", "/name", "Saw"), ("asked", "/requests/0/effect", "loseAnswer"),
      ("delete", "/changed", true), ("clock", "/time", "2026-02-01T00:00:00Z"),
      ("purged", "/count", 0), ("reset", "/count", 0),
    ]
    #expect(blocks.map { $0.label.dropFirst(5) } == expected.map { $0.name[...] })
    let command = try #require(
      page.text.firstMatch(of: /(?m)^ {4}rowhouse serve --db :memory: (.*--test-mode.*)$/))
    // Its own way of telling where it listens is the tests' way too, and so is its address.
    let arguments = command.1.split(separator: " ").map(String.init)
      .filter { $0 != "--print-url" }
    let server = try RunningServer(database: ":memory:", Array(arguments.dropFirst(2)))
    for (block, expected) in zip(blocks, expected) {
      let result = try Rowhouse.run(
        "/bin/bash", ["-c", "set -euo pipefail\n\(block.text)\n"],
        environment: ["ROWHOUSE": server.url])
      #expect(result.ending == .exit(0), "\(expected.name): \(result.output) \(result.errors)")
      let answer = try JSONReader.parse(Array(result.output.utf8))
      #expect(
        JSONPointer(text: expected.pointer)?.evaluate(answer) == expected.value, "\(block.label)")
    }
  }

  @Test(arguments: ["README.md", "GUIDE.md", "OPERATING.md", "CONTRIBUTING.md", "SECURITY.md"])
  func `links lead to files and headings`(_ name: String) throws {
    let page = try MarkdownPage(name)
    for link in page.text.matches(of: /\]\(([\w.\/-]*)(#[\w-]+)?\)/) {
      let file = link.1.isEmpty ? name : String(link.1)
      #expect(
        FileManager.default.fileExists(atPath: Rowhouse.sourceFolder + "/" + file), "\(file)")
      guard let heading = link.2 else { continue }
      let headings = try MarkdownPage(file).text.matches(of: /(?m)^#+ (.+)$/).map {
        "#" + $0.1.lowercased().replacing(/[^\w -]/, with: "").replacing(" ", with: "-")
      }
      #expect(headings.contains(String(heading)), "\(heading)")
    }
  }

  @Test func `README is short and starts with two commands`() throws {
    let text = try MarkdownPage("README.md").text
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    #expect(
      text.matches(of: /(?m)^ {4}(scripts\/\w+)/).map { String($0.1) }
        == ["scripts/run", "scripts/test"])
  }
}
