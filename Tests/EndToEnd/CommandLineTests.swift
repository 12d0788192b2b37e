import Foundation
import SQL
import Support
import Testing

@Suite("The command line")
struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["version", "--version", "-V"])
  func `prints its version`(argument: String) throws {
    let result = try Rowhouse.run(argument)
    #expect(result.ending == .exit(0))
    #expect(result.output.hasPrefix("rowhouse 1."))
    #expect(result.output.filter(\.isNewline).count == 1)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: ["help", "--help", "-h"])
  func `helps with all commands`(argument: String) throws {
    let result = try Rowhouse.run(argument)
    #expect(result.ending == .exit(0))
    for command in [
      "serve", "seed", "export", "import", "backup", "restore", "restored", "check", "migrate",
      "version", "help",
    ] {
      #expect(result.output.contains("\n  \(command) "))
    }
    #expect(result.errors.isEmpty)
  }

  @Test(
    arguments: [
      ("serve", ["--db PATH", "--listen ADDR:PORT", "--no-auth", "--json-body SIZE"]),
      ("seed", ["--db PATH", "--rows N"]), ("export", ["--db PATH"]),
      ("import", ["--db PATH", "--replace", "--dry-run"]), ("check", ["--db PATH"]),
      ("backup", ["--db PATH", "--force"]), ("restore", ["--db PATH", "--force"]),
      ("migrate", ["--db PATH"]),
      ("version", []),
    ])
  func `helps with one command`(command: String, options: [String]) throws {
    let result = try Rowhouse.run("help", command)
    #expect(result.ending == .exit(0))
    #expect(result.output.contains("Usage: rowhouse \(command)"))
    for option in options { #expect(result.output.contains("\n  \(option) ")) }
    #expect(try Rowhouse.run(command, "--help").output == result.output)
  }

  @Test(
    arguments: [
      [], ["sevre"], ["help", "sevre"], ["serve", "--prot", "1"], ["serve", "8080"],
      ["serve", "--db"], ["serve", "--db", ""], ["serve", "--listen", "8080"],
      ["serve", "--listen", "127.0.0.1:65536"], ["serve", "--loops", "0"],
      ["serve", "--request-line", "many"], ["serve", "--json-body", "0"], ["seed", "--rows", "-1"],
      ["version", "--long"], ["import"], ["import", "a", "b"], ["import", "--merge", "a"],
      ["backup"], ["restore"], ["restore", "a", "--db", ":memory:"],
      ["serve", "--no-auth=maybe"], ["config", "file"], ["token"],
      ["token", "create"], ["token", "create", "--name", "x", "--db", ":memory:"],
      ["token", "revoke", "--id", "x"],
    ])
  func `a misuse exits with 64 and says on stderr what is wrong`(arguments: [String]) throws {
    let result = try Rowhouse.run(
      Rowhouse.executable, arguments,
      environment: ["XDG_DATA_HOME": folder.path, "ROWHOUSE_LISTEN": "127.0.0.1:0"])
    #expect(result.ending == .exit(64))
    #expect(result.output.isEmpty)
    #expect(!result.errors.isEmpty)
  }

  @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "[2001:db8::1]:0", "[::ffff:7f00:1]:0"])
  func `beyond loopback it listens only with --no-auth or a token`(address: String) throws {
    for first in [[], ["--listen", "127.0.0.1:0"]] {
      let refused = try Rowhouse.run(
        Rowhouse.executable, ["serve", "--db", folder.database] + first + ["--listen", address])
      #expect(refused.ending == .exit(64))
      #expect(refused.errors.contains("--no-auth"))
      #expect(refused.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: folder.database))
    }
  }

  @Test(arguments: ["127.0.0.1.example:0", "example.org:0", "0:0", "[::1%lo]:0"])
  func `what leads to no address of this machine's is refused`(address: String) throws {
    for option in [[], ["--no-auth"]] {
      let refused = try Rowhouse.run(
        Rowhouse.executable, ["serve", "--db", folder.database, "--listen", address] + option)
      #expect(refused.ending == .exit(64) || refused.ending == .exit(69))
      #expect(refused.output.isEmpty)
    }
  }

  @Test func `with --no-auth it listens anywhere, and needs no token`() throws {
    let process = try ChildProcess(
      Rowhouse.executable,
      [
        "serve", "--db", folder.database, "--no-auth", "--listen", "0.0.0.0:0", "--listen",
        "127.0.0.1:0",
      ])
    let client = try Client(port: try RunningServer.waitForPort(of: process))
    #expect(try client.get("/v1/lists").status == 200)
    process.signal(SIGTERM)
    #expect(try process.waitForEnd() == .exit(0))
  }

  @Test(arguments: [
    ["check"], ["export"], ["backup", "copy"], ["token", "list"],
    ["token", "revoke", "--id", "01a1fc12-de81-7266-b69c-18389761a7fb"],
  ])
  func `a missing database is 66, and is not made`(command: [String]) throws {
    let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", folder.database])
    #expect(result.ending == .exit(66))
    #expect(result.errors == "error: \(folder.database) does not exist.\n")
    #expect(!FileManager.default.fileExists(atPath: folder.database))
  }

  @Test(arguments: [["migrate"], ["token", "create", "--name", "Sam"]])
  func `a database is made only by name or with --create`(command: [String]) throws {
    let arguments = command + ["--db", folder.database]
    let refused = try Rowhouse.run(Rowhouse.executable, arguments)
    #expect(refused.ending == .exit(66))
    #expect(
      refused.errors
        == "error: \(folder.database) does not exist. Add --create to make a new database there.\n")
    #expect(refused.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.database))
    let made = try Rowhouse.run(Rowhouse.executable, arguments + ["--create"])
    #expect(made.ending == .exit(0))
    #expect(made.errors.hasPrefix("Made a new database at \(folder.database).\n"))
    let again = try Rowhouse.run(Rowhouse.executable, arguments + ["--create"])
    #expect(again.ending == .exit(0))
    #expect(!again.errors.contains("Made a new database"))
    #expect(try Rowhouse.run(Rowhouse.executable, arguments).ending == .exit(0))
  }

  #if !PostgreSQL
    @Test(arguments: [
      ["serve", "--listen", "127.0.0.1:0"], ["seed"], ["export"], ["import", "/dev/null"],
      ["backup", "copy"], ["check"], ["migrate"], ["token", "list"],
      ["token", "create", "--name", "Sam"], ["restore", "copy"],
    ])
    func `a folder instead of a database is called one`(command: [String]) throws {
      // With a folder in it, it has more than one name.
      let path = folder.file("data")
      try FileManager.default.createDirectory(
        atPath: path + "/inner", withIntermediateDirectories: true)
      let copy = folder.file("copy")
      if command.first == "restore" {
        let other = folder.file("other.sqlite")
        #expect(try Rowhouse.run("seed", "--db", other).ending == .exit(0))
        #expect(try Rowhouse.run("backup", copy, "--db", other).ending == .exit(0))
      }
      let result = try Rowhouse.run(
        Rowhouse.executable, command.map { $0 == "copy" ? copy : $0 } + ["--db", path])
      #expect(result.errors.contains("\(path) is a folder"), "\(result.errors)")
      #expect(!result.errors.contains("hard link"))
      #expect([.exit(65), .exit(66), .exit(73)].contains(result.ending), "\(result.ending)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["inner"])
      #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
    }

    @Test(arguments: [
      ["serve", "--listen", "127.0.0.1:0"], ["seed"], ["export"], ["import", "/dev/null"],
      ["check"], ["migrate"], ["token", "list"], ["token", "create", "--name", "Sam"],
      ["backup", "copy"],
    ])
    func `a pipe or a device is not a database`(command: [String]) throws {
      let path = folder.file("pipe")
      #expect(mkfifo(path, 0o600) == 0)
      let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", path])
      #expect(result.errors == "error: \(path) is not a regular file. Name a database file.\n")
      #expect(result.ending == .exit(65))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
    }

    @Test(arguments: ["check", "serve", "seed", "migrate"])
    func `a foreign file is 65, and stays as it was`(command: String) throws {
      let contents = Data("Dear diary, today nothing happened. And so on for some more.".utf8)
      try contents.write(to: URL(fileURLWithPath: folder.database))
      let listen = command == "serve" ? ["--listen", "127.0.0.1:0"] : []
      let result = try Rowhouse.run(
        Rowhouse.executable, [command, "--db", folder.database] + listen)
      #expect(result.ending == .exit(65))
      #expect(result.errors.contains(folder.database))
      #expect(FileManager.default.contents(atPath: folder.database) == contents)
    }

    @Test func `a command purges nothing, whatever limits the server has`() throws {
      let server = try RunningServer(database: folder.database, ["--trash-days", "0"])
      let client = try server.connect()
      let id = try client.makeThing("Heirloom", in: "root")
      #expect(try client.send("DELETE", "/v1/rows/\(id)").status == 200)
      try #require(try server.stop() == .exit(0))
      let db = try Connection(path: folder.database, mode: .readWrite)
      try db.execute("UPDATE trash SET deleted_at = deleted_at - 60 * 86400")
      let file = folder.file("all.ndjson")
      #expect(try Rowhouse.run("export", "--db", folder.database, file).ending == .exit(0))
      // Longer than the second after which a server begins to purge.
      let script = #"(sleep 3; cat "$2") | "$0" import --dry-run --db "$1" -"#
      let result = try Rowhouse.run(
        "/bin/sh", ["-c", script, Rowhouse.executable, folder.database, file])
      #expect(result.ending == .exit(0), "\(result.errors)")
      #expect(try db.prepare("SELECT count(*) FROM trash").first { $0.int(0) } == 1)
    }

    @Test func `a damaged database is distinguished from a sound one`() throws {
      _ = try Rowhouse.run("seed", "--rows", "2000", "--db", folder.database)
      let sound = try Rowhouse.run("check", "--db", folder.database)
      #expect(sound.ending == .exit(0))
      #expect(sound.output == "\(folder.database): no damage found\n")

      // The log is empty after a seed, so the pages of the file are what is read.
      let file = try #require(FileHandle(forUpdatingAtPath: folder.database))
      let size = try file.seekToEnd()
      for page in stride(from: 8 * 4096, to: size, by: 4096) {
        try file.seek(toOffset: page)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 512))
      }
      try file.close()
      let damaged = try Rowhouse.run("check", "--db", folder.database)
      #expect(damaged.ending == .exit(1) || damaged.ending == .exit(65))
      let remedy = "rowhouse restore BACKUP --db \(folder.database) --force"
      #expect((damaged.output + damaged.errors).contains(remedy))
    }

    @Test func `colours are for terminals, unless NO_COLOR is set`() throws {
      let command = "\(Rowhouse.executable) sevre"
      func complaint(_ environment: [String: String]) throws -> String {
        // script gives the command a terminal.
        try Rowhouse.run(
          "/usr/bin/script", ["-qec", command, "/dev/null"], environment: environment
        ).output
      }
      #expect(try complaint([:]).contains("\u{1B}[31m"))
      #expect(try complaint(["NO_COLOR": ""]).contains("\u{1B}[31m"))
      #expect(try !complaint(["NO_COLOR": "1"]).contains("\u{1B}"))
      #expect(try !Rowhouse.run("sevre").errors.contains("\u{1B}"))
    }

    @Test(arguments: [
      ["config"], ["manual"], ["token", "create", "--create", "--name", "Sam"], ["help"],
      ["help", "token"], ["backup", "--help"], ["serve", "--help"], ["--version"],
    ])
    func `a failed write to stdout is 74, and the command does not report success`(
      command: [String]
    )
      throws
    {
      let result = try Rowhouse.run(
        "/bin/bash", ["-c", "exec \"$0\" \"$@\" >/dev/full", Rowhouse.executable] + command,
        environment: ["ROWHOUSE_DB": folder.database])
      #expect(result.ending == .exit(74))
      #expect(result.errors.hasSuffix("error: Cannot write to stdout: No space left on device.\n"))
      // A token that was never shown would lock everyone out.
      #expect(
        result.errors.contains("Revoke it: rowhouse token revoke --id ") == (command[0] == "token"))
    }

    @Test func `seeding many rows prints the list's id`() throws {
      let result = try Rowhouse.run("seed", "--rows", "20000", "--db", folder.database)
      #expect(result.ending == .exit(0))
      let list = try #require(result.output.split(separator: " ").last?.dropLast())
      let server = try RunningServer(database: folder.database)
      let page = try server.connect().get("/v1/lists/\(list)/rows?offset=19999")
      #expect(page.rows.map(\.title) == ["Thing 19999", "No more items!"])
    }

    @Test(arguments: [
      ["serve", "--listen", "127.0.0.1:0"], ["backup", "b"], ["restore", "b"], ["check"],
      ["migrate"],
      ["export", "e"], ["import", "/dev/null"], ["seed"], ["token", "list"],
      ["token", "create", "--name", "x"],
    ])
    func `a build without PostgreSQL says so, and prints no password`(command: [String]) throws {
      let address = "postgresql://u:secret@127.0.0.1:1/x"
      let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", address])
      #expect(result.ending == .exit(64), "\(result.errors)")
      #expect(result.errors.contains("This build has no PostgreSQL."))
      #expect(!(result.output + result.errors).contains("secret"))
    }

    @Test func `copying needs a build with PostgreSQL`() throws {
      let result = try Rowhouse.run("copy", folder.database, "postgresql:///x")
      #expect(result.ending == .exit(64))
      #expect(result.errors.contains("--traits PostgreSQL"))
    }
  #endif

  @Test func `migrating makes a database, and twice does nothing`() throws {
    let first = try Rowhouse.run("migrate", "--create", "--db", folder.database)
    #expect(first.ending == .exit(0))
    // 0001_initial.sql is named "1 initial".
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Rowhouse.sourceFolder + "/migrations/sqlite")
    let applied = files.sorted().map { file in
      let parts = file.dropLast(".sql".count).split(separator: "_", maxSplits: 1)
      return "applied \(Int(parts[0]) ?? 0) \(parts[1])\n"
    }
    #expect(first.output == applied.joined() + "\(folder.database) is up to date\n")
    let second = try Rowhouse.run("migrate", "--db", folder.database)
    #expect(second.output == "\(folder.database) is up to date\n")
  }
}
