import Foundation
import JSON
import Support
import Testing

@Suite("How a server starts, listens and stops")
struct ServingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `it prints the path of the database and a first command`() throws {
    let server = try RunningServer(database: folder.database)
    // It waits for the second of these lines alone.
    let lines = try poll("the last line") {
      let lines = server.process.output.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count > 4 ? lines : nil
    }
    #expect(
      lines == [
        "Database: \(folder.database)", "The database is new.", "Listening on \(server.url)",
        "Try: curl -s \(server.url)/v1/lists/root/rows", "",
      ])
  }

  @Test func `a second one on the same database is refused with 75`() throws {
    let server = try RunningServer(database: folder.database)
    for command in [["serve", "--listen", "127.0.0.1:0"], ["check"], ["seed"], ["migrate"]] {
      let second = try Rowhouse.run(
        Rowhouse.executable, command + ["--db", folder.database])
      #expect(second.ending == .exit(75))
      #expect(
        second.errors
          == "error: \(folder.database) is in use by another rowhouse "
          + "(process \(server.process.pid)). Stop it first.\n")
    }
    #expect(try server.connect().get("/readyz").status == 200)
  }

  @Test func `a name is resolved, and what is loopback by another name needs no token`() throws {
    let server = try ChildProcess(
      Rowhouse.executable, ["serve", "--db", folder.database, "--listen", "localhost:0"])
    defer { server.signal(SIGTERM) }
    let line = try poll("where it listens") {
      server.output.split(separator: "\n").first { $0.hasPrefix("Listening on ") }
        ?? server.endingIfAny().map { Substring("\($0) \(server.errors)") }
    }
    #expect(line.contains(/^Listening on http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/), "\(line)")
    let unknown = try Rowhouse.run(
      "serve", "--db", folder.file("other.sqlite"), "--listen", "nowhere.invalid:0")
    #expect(unknown.ending == .exit(69))
    #expect(
      unknown.errors
        == "error: Cannot listen on nowhere.invalid: this name has no address. Check the spelling.\n"
    )
  }

  @Test func `a port that is taken is 69`() throws {
    let server = try RunningServer(database: folder.database)
    let second = try Rowhouse.run(
      "serve", "--db", folder.file("other.sqlite"), "--listen", "127.0.0.1:\(server.port)")
    #expect(second.ending == .exit(69))
    #expect(second.errors.contains("127.0.0.1:\(server.port)"))
  }

  @Test(arguments: 3...9)
  func `a socket that was not inherited is 69, and never one of the server's own files`(
    descriptor: Int
  ) throws {
    let process = try ChildProcess(
      Rowhouse.executable,
      ["serve", "--db", folder.database, "--listen", "fd:\(descriptor)"])
    #expect(try process.waitForEnd(seconds: 60) == .exit(69))
    #expect(process.errors == "error: Cannot listen on fd:\(descriptor): Bad file descriptor.\n")
    #expect(!FileManager.default.fileExists(atPath: folder.database))
  }

  @Test(arguments: ["--spool", "--backup-to"])
  func `a folder that is not there is 73`(option: String) throws {
    try Data().write(to: URL(fileURLWithPath: folder.file("file")))
    for (place, cause) in [("none", "No such file or directory"), ("file", "Not a directory")] {
      let result = try Rowhouse.run(
        "serve", "--db", folder.database, "--listen", "127.0.0.1:0", option, folder.file(place))
      #expect(result.ending == .exit(73))
      #expect(result.errors.hasSuffix(" \(folder.file(place)): \(cause).\n"))
      #expect(!FileManager.default.fileExists(atPath: folder.database))
    }
  }

  @Test func `options come from the environment too, and the command line wins`() throws {
    let process = try ChildProcess(
      Rowhouse.executable, ["serve", "--header-fields", "50"],
      environment: [
        "ROWHOUSE_DB": folder.database, "ROWHOUSE_LISTEN": "127.0.0.1:0",
        "ROWHOUSE_REQUEST_LINE": "128", "ROWHOUSE_HEADER_FIELDS": "nonsense",
      ])
    let client = try Client(port: try RunningServer.waitForPort(of: process))
    #expect(FileManager.default.fileExists(atPath: folder.database))
    let long = String(repeating: "x", count: 200)
    #expect(try client.get("/v1/resolve?path=/\(long)").status == 414)
  }

  @Test func `limits are as the options set them`() throws {
    let server = try RunningServer(
      database: folder.database, ["--json-body", "2KiB", "--json-depth=3", "--header-fields", "5"])
    let long = JSONValue.string(String(repeating: "x", count: 3_000))
    let large = try server.connect().send("POST", "/v1/lists", ["title": long])
    #expect(large.status == 413)
    let client = try server.connect()
    let deep = try client.send("POST", "/v1/lists", text: "{\"title\":[[[0]]]}")
    #expect(deep.status == 400)
    #expect(deep.text("/code") == "malformed_json")
    let fields = Dictionary(uniqueKeysWithValues: (0..<6).map { ("X-\($0)", "1") })
    #expect(try client.get("/healthz", fields).status == 431)
    #expect(try server.connect().get("/healthz").status == 200)
  }

  @Test func `without --db the database is in the XDG data folder, and is found again`() throws {
    let environment = ["XDG_DATA_HOME": folder.file("data")]
    #expect(try Rowhouse.run("seed", environment: environment).ending == .exit(0))
    let process = try ChildProcess(
      Rowhouse.executable, ["serve", "--listen", "127.0.0.1:0"], environment: environment)
    let client = try Client(port: try RunningServer.waitForPort(of: process))
    #expect(try client.titles(of: "root") == ["Home", "Garage"])
    let path = folder.file("data/rowhouse/rowhouse.sqlite")
    let lines = process.output.split(separator: "\n")
    #expect(lines.first == "Database: \(path)")
    #expect(!lines.contains("The database is new."))
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `it listens on a Unix socket that only its owner may open`() throws {
    let path = folder.file("socket")
    let server = try RunningServer(database: folder.database, ["--listen", "unix:\(path)"])
    let client = try Client(unixPath: path)
    #expect(try client.get("/readyz").status == 200)
    let list = try client.makeList("Shelf")
    #expect(try server.connect().get("/v1/lists/\(list)").status == 200)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    _ = try poll("the line of the socket") {
      server.process.output.split(separator: "\n").contains("Listening on unix:\(path)")
        ? true : nil
    }
    #expect(try server.stop() == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `its health can be asked beside it, and is 69 when it is gone`() throws {
    let server = try RunningServer(database: folder.database)
    let good = try Rowhouse.run("health", "--db", folder.database)
    #expect(good.ending == .exit(0))
    #expect(good.output == "ready\n")
    try server.stop()
    let bad = try Rowhouse.run("health", "--db", folder.database)
    #expect(bad.ending == .exit(69))
    #expect(bad.errors == "error: No server runs on \(folder.database).\n")
  }

  @Test func `a database in memory goes with its server`() throws {
    let server = try RunningServer(database: ":memory:")
    _ = try server.connect().makeList("Shelf")
    let line = try #require(server.process.output.split(separator: "\n").first)
    let path = String(line.dropFirst("Database: ".count))
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try server.stop() == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `it stops with exit code 0, idle connections or not`(signal: Int32) throws {
    let server = try RunningServer(database: folder.database, ["--log-format", "none"])
    let client = try server.connect()
    #expect(try client.get("/healthz").status == 200)
    server.process.signal(signal)
    #expect(try server.process.waitForEnd() == .exit(0))
    #expect(try client.isClosed())
    #expect(server.process.errors.isEmpty)
  }

  @Test func `a hang-up does not stop it`() throws {
    let server = try RunningServer(database: folder.database)
    server.process.signal(SIGHUP)
    let client = try server.connect()
    #expect(try client.get("/readyz").status == 200)
    #expect(server.process.endingIfAny() == nil)
  }
}
