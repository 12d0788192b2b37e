import Foundation
import Support
import Testing

@Suite("The service of a machine")
struct ServiceUnitTests {
  private let folder: TemporaryFolder
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder.file("root")
  }

  private func install(_ options: String...) throws -> Rowhouse.Result {
    try Rowhouse.run(
      "/bin/bash",
      [Rowhouse.sourceFolder + "/scripts/install", "--binary", Rowhouse.executable] + options)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + path, encoding: .utf8)
  }

  /// The value of a line of a unit.
  private func value(_ name: String, in unit: String) throws -> String {
    let lines = try text("/etc/systemd/system/" + unit).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(name + "=") })
    return String(line.dropFirst(name.count + 1))
  }

  @Test func `a try-out changes nothing`() throws {
    let result = try install("--root", root, "--dry-run")
    #expect(result.ending == .exit(0), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test func `installing twice leaves settings as they are and brings the rest up to date`() throws
  {
    #expect(try install("--root", root).ending == .exit(0))
    let settings = root + "/etc/rowhouse/rowhouse.conf"
    let sample = try Rowhouse.run("config", "--config", settings)
    #expect(sample.ending == .exit(0), "\(sample.errors)")
    try Data("loops = 2\n".utf8).write(to: URL(fileURLWithPath: settings))
    let program = root + "/usr/local/bin/rowhouse"
    try Data("old".utf8).write(to: URL(fileURLWithPath: program))
    #expect(try install("--root", root).ending == .exit(0))
    #expect(try text("/etc/rowhouse/rowhouse.conf") == "loops = 2\n")
    #expect(
      FileManager.default.contentsEqual(atPath: program, andPath: Rowhouse.executable))
    let again = try install("--root", root)
    #expect(again.output.split(separator: "\n").count { $0.hasSuffix("is up to date") } == 3)
  }

  @Test func `another prefix is in the unit, too`() throws {
    #expect(try install("--root", root, "--prefix", "/opt/rowhouse").ending == .exit(0))
    #expect(FileManager.default.fileExists(atPath: root + "/opt/rowhouse/bin/rowhouse"))
    #expect(
      try value("ExecStart", in: "rowhouse.service").hasPrefix("/opt/rowhouse/bin/rowhouse serve "))
  }

  @Test func `the unit's command line starts a server`() throws {
    #expect(try install("--root", root).ending == .exit(0))
    let words = try value("ExecStart", in: "rowhouse.service").split(separator: " ").map(
      String.init)
    #expect(words.prefix(2) == ["/usr/local/bin/rowhouse", "serve"])
    let process = try ChildProcess(
      root + words[0], words.dropFirst().map { $0.hasPrefix("/") ? root + $0 : $0 },
      environment: ["ROWHOUSE_DB": folder.database, "ROWHOUSE_LISTEN": "127.0.0.1:0"])
    let client = try Client(port: try RunningServer.waitForPort(of: process))
    #expect(try client.get("/readyz").status == 200)
    process.signal(SIGTERM)
    #expect(try process.waitForEnd() == .exit(0))
  }

  @Test(arguments: [
    ["--prefix", "usr"], ["--prefix"], ["--uninstall"],
  ])
  func `a misuse is 64`(options: [String]) throws {
    let result = try Rowhouse.run(
      "/bin/bash", [Rowhouse.sourceFolder + "/scripts/install"] + options)
    #expect(result.ending == .exit(64))
  }

  @Test func `sockets that a service manager has opened are served`() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // Without close-on-exec, so that the server inherits it.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    try #require(bound == 0 && listen(listener, 16) == 0)
    let script =
      "exec 3<&\(listener) && export LISTEN_PID=$$ LISTEN_FDS=1 && exec \"$0\" \"$@\""
    let process = try ChildProcess(
      "/bin/bash", ["-c", script, Rowhouse.executable, "serve", "--db", folder.database],
      handedDown: listener)
    // A client that comes before the server is ready waits in the socket's queue.
    let port = try RunningServer.waitForPort(of: process)
    #expect(try Client(port: port).get("/readyz").status == 200)
    process.signal(SIGTERM)
    #expect(try process.waitForEnd() == .exit(0))
  }
}
