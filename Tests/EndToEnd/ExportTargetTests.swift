import Foundation
import Support
import Testing

@Suite("Files that commands write")
struct ExportTargetTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(try Rowhouse.run("seed", "--db", folder.database).ending == .exit(0))
  }

  private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    return folder.file(name)
  }

  private func export(_ arguments: String...) throws -> Rowhouse.Result {
    try Rowhouse.run(Rowhouse.executable, ["export", "--db", folder.database] + arguments)
  }

  @Test func `an export replaces a file with --force only`() throws {
    let target = try write("mine", to: "all.ndjson")
    let part = try write("mine, too", to: "all.ndjson.part")
    let refused = try export(target)
    #expect(refused.ending == .exit(73))
    #expect(refused.errors.contains("--force"))
    #expect(contents(target) == Data("mine".utf8))
    #expect(try export("--force", target).ending == .exit(0))
    #expect(contents(target)?.starts(with: Data("{\"format\":\"rowhouse\"".utf8)) == true)
    #expect(contents(part) == Data("mine, too".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasSuffix(".part") } == ["all.ndjson.part"])
  }

  @Test func `a backup that is interrupted leaves nothing`() throws {
    let database = folder.file("large.sqlite")
    try #require(try Rowhouse.run("seed", "--db", database, "--rows", "50000").ending == .exit(0))
    let target = folder.file("copy.sqlite")
    let backup = try ChildProcess(Rowhouse.executable, ["backup", "--db", database, target])
    _ = try poll("the draft") { try names().contains { $0.hasSuffix(".part") } ? true : nil }
    kill(backup.pid, SIGTERM)
    let ending = try backup.waitForEnd()
    #expect(ending == .signal(SIGTERM), "\(backup.errors)")
    let left = try names().filter { $0.hasPrefix("copy.sqlite") }
    #expect(left.isEmpty)
  }

  @Test func `an export to a pipe that nobody reads ends with a signal`() throws {
    let seeded = try Rowhouse.run("seed", "--db", folder.database, "--rows", "5000")
    try #require(seeded.ending == .exit(0))
    let fifo = folder.file("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    // The export is larger than the pipe, which this process holds open.
    let pipe = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { close(pipe) }
    let export = try ChildProcess(
      Rowhouse.executable, ["export", "--db", folder.database, "--force", fifo])
    var byte: UInt8 = 0
    _ = try poll("the first byte") { read(pipe, &byte, 1) == 1 ? true : nil }
    export.signal(SIGTERM)
    #expect(try export.waitForEnd() == .signal(SIGTERM))
    #expect(try self.export("/dev/null").ending == .exit(0))
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test(
    "nothing is written over a database, a backup or a file that belongs to one",
    arguments: ["own", "own log", "other", "other's log", "other's lock", "backup", "link"])
  func databases(target: String) throws {
    let other = folder.file("other.sqlite")
    try #require(try Rowhouse.run("seed", "--db", other).ending == .exit(0))
    let backup = folder.file("copy")
    try #require(
      try Rowhouse.run("backup", "--db", folder.database, backup).ending == .exit(0))
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
    let path =
      switch target {
      case "own": folder.database
      case "own log": folder.database + "-wal"
      case "other": other
      case "other's log": other + "-wal"
      case "other's lock": other + ".lock"
      case "backup": backup
      default: link
      }
    let (before, own) = (contents(path), contents(folder.database))
    #expect(try export("--force", path).ending == .exit(73))
    #expect(contents(path) == before)
    #expect(contents(folder.database) == own)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == other)
  }

  @Test(arguments: [
    ["export", "--db", "OWN", "--force", "TARGET"], ["backup", "--db", "OWN", "--force", "TARGET"],
    ["backup", "--db", "OWN", "TARGET"], ["restore", "--db", "TARGET", "--force", "BACKUP"],
    ["seed", "--db", "TARGET"],
    ["serve", "--db", "OWN", "--listen", "127.0.0.1:0", "--log", "TARGET"],
  ])
  func `no command writes a file of another database`(command: [String]) throws {
    let other = folder.file("other.sqlite")
    let backup = folder.file("copy")
    try #require(try Rowhouse.run("seed", "--db", other).ending == .exit(0))
    try #require(
      try Rowhouse.run("backup", "--db", folder.database, backup).ending == .exit(0))
    let server = try RunningServer(database: other)
    let client = try server.connect()
    try client.makeThing("Globe", in: "root")
    let wal = try #require(contents(other + "-wal"))
    // The log of a database that is gone.
    try wal.write(to: URL(fileURLWithPath: folder.file("gone-wal")))
    let targets =
      ["-wal", "-shm", "-journal", ".lock"].map { other + $0 } + [folder.file("gone-wal")]
      + (command.contains("OWN") ? [other] : [])
    for target in targets {
      let before = contents(target)
      let names = ["OWN": folder.database, "TARGET": target, "BACKUP": backup]
      let result = try Rowhouse.run(Rowhouse.executable, command.map { names[$0] ?? $0 })
      #expect(result.ending == .exit(73), "\(target): \(result.errors)")
      if target.hasSuffix("-shm") {
        // The server itself writes this file from time to time.
        #expect(contents(target)?.count == before?.count, "\(target)")
      } else {
        #expect(contents(target) == before, "\(target)")
      }
    }
    try server.kill()
    let again = try RunningServer(database: other)
    #expect(try again.connect().titles(of: "root").contains("Globe"))
  }

  @Test func `a FIFO and a device are written to, and a link stays a link`() throws {
    let plain = try export()
    #expect(plain.ending == .exit(0))
    #expect(plain.output == (try export("/dev/stdout")).output)
    let fifo = folder.file("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    let piped = try Rowhouse.run(
      "/bin/sh",
      [
        "-c", "cat \"$1\" & \"$0\" export --db \"$2\" \"$1\" >&2; wait", Rowhouse.executable, fifo,
        folder.database,
      ])
    #expect(piped.output == plain.output)
    var status = stat()
    #expect(lstat(fifo, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(try export("/dev/null").ending == .exit(0))

    let real = try write("old", to: "real")
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    #expect(try export(link).ending == .exit(73))
    #expect(try export("--force", link).ending == .exit(0))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
    #expect(contents(real) == Data(plain.output.utf8))
    #expect(try export("--force", folder.path).ending == .exit(73))
  }

  @Test func `of several inventories one is exported and imported, which is named`() throws {
    let garage = try {
      let server = try RunningServer(database: folder.database)
      let client = try server.connect()
      let id = try #require(
        try client.send("POST", "/v1/inventories", ["title": "Garage"]).text("/id"))
      _ = try client.send(
        "POST", "/v1/lists", ["title": "Only in the garage"], ["Rowhouse-Inventory": id])
      #expect(try server.stop() == .exit(0))
      return id
    }()
    let unnamed = try export()
    #expect(unnamed.ending == .exit(64))
    #expect(unnamed.output.isEmpty)
    #expect(unnamed.errors.contains(garage) && unnamed.errors.contains("Garage"))
    #expect(try export("--inventory", newID()).ending == .exit(64))
    let file = folder.file("garage.ndjson")
    #expect(try export("--inventory", garage, file).ending == .exit(0))
    let lines = try #require(contents(file)).split(separator: 10)
    #expect(lines.count == 4)
    #expect(try Rowhouse.run("import", "--db", folder.database, file).ending == .exit(64))
    let before = try export("--inventory", garage).output
    let merged = try Rowhouse.run(
      "import", "--db", folder.database, "--inventory", garage, file)
    #expect(merged.ending == .exit(0))
    #expect(merged.output.contains("0 made, 0 changed"))
    #expect(try export("--inventory", garage).output == before)
  }
}
