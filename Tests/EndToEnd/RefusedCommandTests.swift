import Foundation
import Support
import Testing

@Suite("Refused commands")
struct RefusedCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a backup that cannot be read is not to be overwritten by another`() throws {
    let backup = folder.file("backup.sqlite")
    try String(repeating: "no database ", count: 1_000).write(
      toFile: backup, atomically: true, encoding: .utf8)
    let result = try Rowhouse.run("restore", backup, "--db", folder.database)
    #expect(result.ending == .exit(65))
    #expect(result.errors.contains(backup))
    #expect(!result.errors.contains("--force"))
  }

  @Test(arguments: [
    ["token", "create", "--create", "--name", "Sam", "--list", "Groceries"],
    [
      "token", "create", "--create", "--name", "Sam", "--list",
      "01a1fc12-de81-7266-b69c-18389761a7fb",
    ],
    ["import", "BAD"], ["import", "--replace", "BAD"], ["import", "MISSING"], ["restore", "BAD"],
    ["restore", "MISSING"], ["restore", "--force", "BAD"],
  ])
  func `a refusal leaves nothing where no database was`(command: [String]) throws {
    let bad = folder.file("bad")
    try Data(String(repeating: "nothing of ours\n", count: 500).utf8)
      .write(to: URL(fileURLWithPath: bad))
    let names = ["BAD": bad, "MISSING": folder.file("missing")]
    let result = try Rowhouse.run(
      Rowhouse.executable, command.map { names[$0] ?? $0 } + ["--db", folder.database])
    #expect(result.ending != .exit(0))
    #expect(!result.errors.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["bad"])
  }

  @Test func `a refusal keeps a database that was there`() throws {
    #expect(try Rowhouse.run("seed", "--db", folder.database).ending == .exit(0))
    let before = FileManager.default.contents(atPath: folder.database)
    for command in [["token", "create", "--name", "Sam", "--list", "x"], ["import", "/dev/null"]] {
      let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", folder.database])
      #expect(result.ending != .exit(0))
    }
    #expect(FileManager.default.contents(atPath: folder.database) == before)
  }

  /// A pipe that this process holds open, so that a command that reads from it waits.
  private func makePipe() throws -> (path: String, descriptor: Int32) {
    let path = folder.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    return (path, descriptor)
  }

  /// Starts a command, and waits until it has begun to make its database.
  private func begin(_ executable: String, _ arguments: [String]) throws -> ChildProcess {
    let process = try ChildProcess(executable, arguments)
    _ = try poll("the new file") {
      FileManager.default.fileExists(atPath: folder.database) ? true : nil
    }
    return process
  }

  @Test(arguments: [
    ["seed", "--rows", "10000000"], ["import", "PIPE"], ["import", "--replace", "PIPE"],
  ])
  func `an interruption leaves nothing where no database was`(command: [String]) throws {
    let pipe = try makePipe()
    defer { close(pipe.descriptor) }
    let process = try begin(
      Rowhouse.executable,
      command.map { $0 == "PIPE" ? pipe.path : $0 } + ["--db", folder.database])
    process.signal(SIGTERM)
    #expect(try process.waitForEnd() == .signal(SIGTERM))
    #expect((process.output + process.errors).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }

  @Test func `an interrupted migrate leaves nothing where no database was`() throws {
    for _ in 0..<50 {
      let process = try begin(
        Rowhouse.executable, ["migrate", "--create", "--db", folder.database])
      process.signal(SIGTERM)
      let ending = try process.waitForEnd()
      if ending == .signal(SIGTERM) {
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        return
      }
      // On a busy machine it may have been over by then.
      #expect(ending == .exit(0))
      try FileManager.default.removeItem(atPath: folder.database)
    }
    Issue.record("None of the commands was interrupted.")
  }

  @Test func `an interruption keeps a database that was there`() throws {
    #expect(try Rowhouse.run("seed", "--db", folder.database).ending == .exit(0))
    let before = try Rowhouse.run("export", "--db", folder.database).output
    let pipe = try makePipe()
    defer { close(pipe.descriptor) }
    let process = try ChildProcess(
      Rowhouse.executable, ["import", "--replace", pipe.path, "--db", folder.database])
    // Signals are noted before the database is locked.
    _ = try poll("the lock") {
      FileManager.default.fileExists(atPath: folder.database + ".lock") ? true : nil
    }
    process.signal(SIGTERM)
    #expect(try process.waitForEnd() == .signal(SIGTERM))
    #expect(try Rowhouse.run("export", "--db", folder.database).output == before)
  }

  @Test func `a signal that a shell lets a command ignore does not interrupt it`() throws {
    let pipe = try makePipe()
    let process = try begin(
      "/bin/sh",
      [
        "-c", #"trap "" TERM; exec "$0" import "$1" --db "$2""#, Rowhouse.executable, pipe.path,
        folder.database,
      ])
    process.signal(SIGTERM)
    close(pipe.descriptor)
    // The file is incomplete.
    #expect(try process.waitForEnd() == .exit(65))
  }

  @Test(arguments: ["missing", "empty"])
  func `a backup that has nothing but a log is not to be overwritten by another`(
    state: String
  ) throws {
    let backup = folder.file("backup.sqlite")
    if state == "empty" { try Data().write(to: URL(fileURLWithPath: backup)) }
    try Data(repeating: 1, count: 100).write(to: URL(fileURLWithPath: backup + "-wal"))
    let result = try Rowhouse.run("restore", backup, "--db", folder.database)
    #expect(result.ending == .exit(66))
    #expect(result.errors.contains(backup + "-wal"))
    #expect(!result.errors.contains("rowhouse restore"))
    #expect(!result.errors.contains("--force"))
  }

  @Test(arguments: ["contents", "start"])
  func `a check of a damaged backup does not say to overwrite it`(part: String) throws {
    #expect(
      try Rowhouse.run("seed", "--rows", "2000", "--db", folder.database).ending == .exit(0))
    let backup = folder.file("backup.sqlite")
    #expect(try Rowhouse.run("backup", backup, "--db", folder.database).ending == .exit(0))
    let file = try #require(FileHandle(forUpdatingAtPath: backup))
    let size = try file.seekToEnd()
    for page in stride(from: part == "start" ? 0 : 8 * 4096, to: size, by: 4096) {
      try file.seek(toOffset: page)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 512))
    }
    try file.close()
    let result = try Rowhouse.run("check", "--db", backup)
    #expect(result.ending == .exit(1) || result.ending == .exit(65))
    #expect((result.output + result.errors).contains("If it is a backup, use another one."))
    #expect(!(result.output + result.errors).contains("--force"))
  }
}
