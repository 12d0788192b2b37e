import Support
import Testing

@Suite struct `When there is no room for a change` {
  /// Adds things with long notes until one is refused; the names of those that were added.
  private func fill(_ client: Client) throws -> (added: [String], refusal: Answer) {
    let notes = String(repeating: "n", count: 60_000)
    var added: [String] = []
    for number in 0..<1_000 {
      let answer = try client.send(
        "POST", "/v1/lists/root/items",
        ["name": .string("thing \(number)"), "notes": .string(notes)])
      guard answer.status == 201 else { return (added, answer) }
      added.append("thing \(number)")
    }
    throw Overdue("filling the database")
  }

  @Test func `a limit on the size of files refuses what does not fit, and the server lives on`()
    throws
  {
    let folder = try TemporaryFolder()
    var added: [String] = []
    do {
      let server = try RunningServer(database: folder.database, largestFile: 2_048)
      let client = try server.connect()
      let (names, refusal) = try fill(client)
      added = names
      #expect(refusal.status == 507)
      #expect(refusal.text("/code") == "storage_full")
      #expect(added.count > 5)
      // Reads go on.
      #expect(try client.titles(of: "root") == added)
      #expect(try server.stop() == .exit(0))
    }
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    #expect(try client.titles(of: "root") == added)
    try client.makeThing("there is room again", in: "root")
  }

  @Test func `an import says that the disk is at fault, and not the export`() throws {
    let folder = try TemporaryFolder()
    #expect(
      try Rowhouse.run("seed", "--rows", "2000", "--db", folder.database).ending == .exit(0))
    let export = folder.path + "/all.ndjson"
    #expect(try Rowhouse.run("export", "--db", folder.database, export).ending == .exit(0))
    let other = folder.path + "/other.db"
    #expect(try Rowhouse.run("migrate", "--create", "--db", other).ending == .exit(0))
    // A dry run writes nothing, and needs no room.
    for mode in [["--replace"], []] {
      // In units of 1024 bytes (bash).
      let result = try Rowhouse.run(
        "/bin/bash",
        [
          "-c", "trap '' XFSZ; ulimit -f 256; exec \"$@\"", "bash", Rowhouse.executable,
          "import", "--db", other,
        ] + mode + [export])
      #expect(result.ending == .exit(74))
      #expect(!result.errors.contains(export))
    }
    // Nothing is wrong with the export.
    #expect(try Rowhouse.run("import", "--db", other, "--replace", export).ending == .exit(0))
  }

  @Test func `so does the server's own limit on its database`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database, ["--database-size", "1MiB"])
    let client = try server.connect()
    _ = try client.send("PUT", "/v1/appearance", ["title": "#111111"])
    let (added, refusal) = try fill(client)
    #expect(refusal.status == 507)
    #expect(refusal.text("/code") == "storage_full")
    #expect(try client.titles(of: "root") == added)
    // What needs no new page still goes: the appearance is one row, and no log of it is kept.
    #expect(try client.send("PUT", "/v1/appearance", ["title": "#222222"]).status == 200)
  }
}
