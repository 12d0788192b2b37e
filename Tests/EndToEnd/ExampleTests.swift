import Foundation
import Support
import Testing

@Suite("The examples that come with the project work")
struct ExampleTests {
  @Test func `what people do most, as one script`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database)
    let result = try Rowhouse.run(
      Rowhouse.sourceFolder + "/scripts/examples/ten-things", [],
      environment: ["ROWHOUSE": server.url])
    #expect(result.errors.isEmpty)
    #expect(
      result.output == """
        1. Add a room and a shelf in it
        2. Add things
        3. List the rows
        Saw|Shelf|Hammer|No more items!
        4. Drag the first row to the end
        [{"from":0,"to":2}]
        5. Move a thing to another list
        3
        6. Edit it, if nobody else has
        2 × Claw hammer
        7. Find it
        Inventory / Workshop / Claw hammer
        8. Sort a list, and look at it
        true
        Claw hammer|Shelf|No more items!
        9. Delete a thing, and undo that
        Shelf|No more items!
        true
        Claw hammer|Shelf|No more items!
        10. Catch up with what others did since
        [{"index":0,"title":"Awl"}]
        Done

        """)
    #expect(result.ending == .exit(0))
    #expect(try server.connect().rows(of: "root").isEmpty)
  }

  /// Whether a command of these words succeeds on this machine.
  private static func has(_ words: String...) -> Bool {
    (try? Rowhouse.run("/usr/bin/env", words).ending) == .exit(0)
  }

  private static let harness = Rowhouse.sourceFolder + "/scripts/examples/harness"

  private func runHarness(_ words: [String]) throws {
    let result = try Rowhouse.run(
      "/usr/bin/env", words,
      environment: [
        "ROWHOUSE_EXECUTABLE": Rowhouse.executable, "PYTHONDONTWRITEBYTECODE": "1",
      ])
    #expect(result.ending == .exit(0), "\(result.output) \(result.errors)")
  }

  @Test(.enabled("pytest is not installed") { has("python3", "-m", "pytest", "--version") })
  func `tests in Python of a client, on a server that fails on purpose`() throws {
    try runHarness(["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", Self.harness])
  }

  @Test(.enabled("node 18 is not installed") { has("node", "-e", "fetch") })
  func `tests in JavaScript of a client, on a server that fails on purpose`() throws {
    try runHarness(["node", "--test", Self.harness + "/harness.test.mjs"])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] != nil))
  func `an app of its own builds with the client and runs`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database)
    let copy = folder.file("app")
    let example = Rowhouse.sourceFolder + "/scripts/examples/swift-client"
    try FileManager.default.copyItem(atPath: example, toPath: copy)
    let manifest = URL(fileURLWithPath: copy + "/Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try Data(text.replacing("../../..", with: Rowhouse.sourceFolder).utf8).write(to: manifest)
    let process = try ChildProcess(
      "/usr/bin/env", ["swift", "run", "--package-path", copy],
      environment: ["ROWHOUSE": server.url])
    #expect(try process.waitForEnd(seconds: 900) == .exit(0), "\(process.errors)")
    #expect(
      process.output == """
        ["1988 Saab 900", "Bicycle", "No more items!"]
        Landed elsewhere than asked: true
        ["Bicycle", "1988 Saab 900", "No more items!"]

        """)
  }
}
