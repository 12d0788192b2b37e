import Foundation
import JSON
import Support
import Testing

@Suite("A new server starts with the contents that it is given")
struct SeedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `the demo, a long list, or nothing`() throws {
    let demo = try RunningServer(database: ":memory:", ["--seed", "demo"])
    #expect(try demo.connect().titles(of: "root") == ["Home", "Garage"])
    let long = try RunningServer(database: ":memory:", ["--seed", "rows=2500"])
    let list = try #require(try long.connect().rows(of: "root").first)
    #expect(list.title == "2500 rows")
    #expect(
      try long.connect().get("/v1/lists/\(try #require(list.id))").number("/rowCount") == 2_500)
    let empty = try RunningServer(database: ":memory:", ["--seed", "empty"])
    #expect(try empty.connect().titles(of: "root").isEmpty)
  }

  @Test func `an export, and exports the same`() throws {
    func export(_ server: RunningServer) throws -> String {
      try Rowhouse.run("/usr/bin/env", ["curl", "-s", server.url + "/v1/export"]).output
    }
    let first = try RunningServer(database: ":memory:", ["--seed", "demo", "--clock", "fixed"])
    let exported = try export(first)
    let file = folder.file("home.ndjson")
    try Data(exported.utf8).write(to: URL(fileURLWithPath: file))
    let arguments = ["--seed", file, "--clock", "fixed"]
    let second = try RunningServer(database: folder.database, arguments)
    #expect(try second.connect().titles(of: "root") == ["Home", "Garage"])
    #expect(try export(second) == exported)
  }

  @Test func `a reset brings it back`() throws {
    let server = try RunningServer(database: ":memory:", ["--seed", "demo", "--test-mode"])
    let client = try server.connect()
    try client.makeThing("Saw", in: "root")
    #expect(try client.send("POST", "/v1/test/reset").status == 204)
    #expect(try client.titles(of: "root") == ["Home", "Garage"])
  }

  @Test(arguments: ["demo", "empty", "rows=3"])
  func `a database with contents is refused, and stays as it is`(seed: String) throws {
    let first = try RunningServer(database: folder.database)
    try first.connect().makeThing("Saw", in: "root")
    try first.stop()
    let refused = try Rowhouse.run(
      "serve", "--db", folder.database, "--listen", "127.0.0.1:0", "--seed", seed)
    #expect(refused.ending == .exit(64))
    #expect(refused.errors.contains("has contents, and --seed is for a new database"))
    let again = try RunningServer(database: folder.database)
    #expect(try again.connect().titles(of: "root") == ["Saw"])
  }

  @Test func `an unused database is as good as a new one, but not one with a token`() throws {
    try RunningServer(database: folder.database).stop()
    try RunningServer(database: folder.database, ["--seed", "demo"]).stop()
    let other = folder.file("tokens.sqlite")
    #expect(
      try Rowhouse.run("token", "create", "--create", "--db", other, "--name", "Sam").ending
        == .exit(0))
    let refused = try Rowhouse.run(
      "serve", "--db", other, "--listen", "127.0.0.1:0", "--seed", "demo")
    #expect(refused.ending == .exit(64))
  }

  @Test func `what cannot be read is refused, and leaves no database`() throws {
    let bad = folder.file("bad.ndjson")
    try Data("no export\n".utf8).write(to: URL(fileURLWithPath: bad))
    for (seed, code) in [(bad, 65), (folder.file("missing"), 66), ("rows=0", 64), ("rows=x", 64)] {
      let refused = try Rowhouse.run(
        "serve", "--db", folder.database, "--listen", "127.0.0.1:0", "--seed", seed)
      #expect(refused.ending == .exit(Int32(code)), "\(seed): \(refused.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.database), "\(seed)")
    }
  }
}
