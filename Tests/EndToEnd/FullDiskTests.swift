import Foundation
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

  @Test func `a limit on the size of files refuses larger writes, and the server keeps running`()
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

  /// The WAL is as large as a file may be, and a checkpoint lets the next changes overwrite it.
  @Test func `changes that only the WAL has no room for are made`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database, largestFile: 2_048)
    let client = try server.connect()
    for number in 0..<200 { try client.makeThing("thing \(number)", in: "root") }
    #expect(try client.titles(of: "root").count == 200)
    #expect(try server.stop() == .exit(0))
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }

  @Test func `an import blames the disk, and not the export`() throws {
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

  /// The process was killed during an import, so the next one has to clear up after it.
  @Test(.enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
  func `a database that the last process left with work to do is served without room for it`()
    throws
  {
    let folder = try TemporaryFolder()
    let export = folder.file("all.ndjson")
    try #require(
      try Rowhouse.run("seed", "--rows", "2000", "--db", folder.database).ending == .exit(0))
    try #require(
      try Rowhouse.run("export", "--db", folder.database, export).ending == .exit(0))
    let disk = try FaultyDisk(below: try TemporaryFolder())
    let database = disk.folder.database
    try #require(try Rowhouse.run("seed", "--db", database).ending == .exit(0))
    let small = try #require(FileManager.default.contents(atPath: database))
    func importAll() throws -> ChildProcess.Ending {
      try Rowhouse.run("import", "--db", database, export, environment: disk.environment()).ending
    }
    disk.count(.write)
    try #require(try importAll() == .exit(0))
    let calls = disk.calls
    for suffix in ["-wal", "-shm"] { unlink(database + suffix) }
    try small.write(to: URL(fileURLWithPath: database))
    disk.fail(.kill(), at: calls / 3, of: .write)
    try #require(try importAll() == .signal(SIGKILL))
    let wal = try #require(FileManager.default.contents(atPath: database + "-wal"))
    let left = try #require(FileManager.default.contents(atPath: database))
    // No frame fits in what remains below the limit, in units of 1024 bytes (bash).
    let frames = try Self.committedFrames(of: wal)
    let log = wal.prefix(32 + frames * 4_120)
    func limited(_ body: (String, Int) throws -> Void) throws {
      let copy = try TemporaryFolder()
      try left.write(to: URL(fileURLWithPath: copy.database))
      try log.write(to: URL(fileURLWithPath: copy.database + "-wal"))
      try body(copy.database, (log.count + 1_023) / 1_024)
    }
    for command in [["export", "-"], ["token", "list"], ["check"]] {
      try limited { database, limit in
        let result = try Rowhouse.run(
          "/bin/bash",
          [
            "-c", "trap '' XFSZ; ulimit -f \(limit); exec \"$@\"", "bash", Rowhouse.executable,
          ] + command + ["--db", database])
        #expect(result.ending == .exit(0), "\(command): \(result.errors)")
      }
    }
    try limited { database, limit in
      let server = try RunningServer(database: database, largestFile: limit)
      #expect(try server.connect().titles(of: "root").count == 2)
      #expect(try server.stop() == .exit(0))
      #expect(try Rowhouse.run("check", "--db", database).ending == .exit(0))
    }
  }

  /// The number of frames up to the last commit: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
  private static func committedFrames(of wal: Data) throws -> Int {
    let bytes = [UInt8](wal)
    let count = (bytes.count - 32) / 4_120
    let last = (0..<count).last { frame in
      let start = 32 + frame * 4_120
      return bytes[start + 4..<start + 8] != [0, 0, 0, 0]
        && bytes[start + 8..<start + 16] == bytes[16..<24]
    }
    return try #require(last) + 1
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
