import Foundation
import Glibc
import JSON
import SQL
import Support
import Testing

/// A sync fails, the server ends, and is started again without a reboot: what it could not write is still read from
/// the system's cache, but is on no disk. What the new server answers must not depend on it.
@Suite(
  "A start behind a failed sync",
  .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct FailedSyncTests {
  private let folder: TemporaryFolder
  private let disk: FaultyDisk
  private let image = SampleImage.jpeg(size: 1 << 20)

  init() throws {
    folder = try TemporaryFolder()
    disk = try FaultyDisk(below: folder)
  }

  private func start() throws -> RunningServer {
    try RunningServer(
      database: folder.database, ["--log-format", "none"],
      environment: disk.environment(isTraced: true))
  }

  /// What a client sees of what is found after a power cut that loses all that may be lost.
  private func afterPowerCut<Value>(_ look: (Client) throws -> Value) throws -> Value {
    let trace = try DiskTrace(path: disk.tracePath)
    var cut = TracedDisk(trace)
    for number in trace.records.indices { cut.pass(number) }
    var random = SplitMix64(seed: 1)
    let found = try TemporaryFolder()
    for (file, bytes) in cut.image(losing: .everything, &random) {
      try Data(bytes).write(to: URL(fileURLWithPath: found.database + file.suffix))
    }
    let check = try Rowhouse.run("check", "--db", found.database)
    #expect(check.ending == .exit(0), "\(check.output)\(check.errors)")
    let server = try RunningServer(database: found.database, ["--log-format", "none"])
    return try withExtendedLifetime((server, found)) { try look(server.connect()) }
  }

  private func titlesAfterPowerCut() throws -> [String] {
    try afterPowerCut { try $0.titles(of: "root") }
  }

  /// Writes until the server has ended; the things that it has answered.
  private func writeUntilEnd(_ server: RunningServer) throws -> [String] {
    var made: [String] = []
    let client = try server.connect()
    for number in 0..<10_000 {
      let body: JSONValue = [
        "name": .string("before \(number)"),
        "notes": .string(String(repeating: "note \(number) ", count: 2_000)),
      ]
      guard let answer = try? client.send("POST", "/v1/lists/root/items", body),
        answer.status == 201
      else { break }
      made.append("before \(number)")
    }
    #expect(try server.process.waitForEnd() == .exit(74))
    return made
  }

  /// Five answered writes on a server that then dies.
  private func writeAgain() throws -> [String] {
    let server = try start()
    let client = try server.connect()
    let names = (0..<5).map { "after \($0)" }
    for name in names { try client.makeThing(name, in: "root") }
    try server.kill()
    return names
  }

  @Test(arguments: [1, 2, 5])
  func `of the log loses nothing that is answered later`(number: Int) throws {
    let server = try start()
    disk.fail(.error(EIO), at: number, times: .max, of: .sync, on: .wal)
    let before = try writeUntilEnd(server)
    disk.repair()
    let after = try writeAgain()
    let titles = try titlesAfterPowerCut()
    #expect(titles.filter { $0.hasPrefix("after") } == after)
    #expect(before.allSatisfy(titles.contains))
  }

  @Test func `of the database, while the log is copied, loses nothing either`() throws {
    let server = try start()
    disk.fail(.error(EIO), at: 1, times: .max, of: .sync, on: .database)
    let before = try writeUntilEnd(server)
    #expect(before.count > 5)
    disk.repair()
    let after = try writeAgain()
    #expect(try titlesAfterPowerCut() == before + after)
  }

  @Test func `of the database loses nothing where another process has kept the log's index`() throws
  {
    let server = try start()
    let client = try server.connect()
    // On pages that nothing else is written to.
    let notes = String(repeating: "notes-of-the-first-", count: 3_000)
    let first = try client.send(
      "POST", "/v1/lists/root/items", ["name": "first", "notes": .string(notes)])
    // A reader of this state keeps the log from being copied as a whole: its first part is written, and not synced.
    let reader = try Connection(path: folder.database, mode: .readWrite)
    try reader.configure(.noCheckpointOnClose, true)
    try reader.begin(.deferred)
    #expect(try reader.prepare("SELECT count(*) FROM row").first { $0.int(0) } == 2)
    let item = try client.makeThing("photos", in: "root")
    for _ in 0..<5 {
      let answer = try client.send("POST", "/v1/items/\(item)/photos", bytes: image)
      #expect(answer.status == 201)
    }
    reader.rollback()
    disk.fail(.error(EIO), at: 1, times: .max, of: .sync, on: .database)
    let before = try writeUntilEnd(server)
    disk.repair()
    let again = try start()
    try again.connect().makeThing("after", in: "root")
    // Copied as a whole, and cut.
    #expect(try again.stop() == .exit(0))
    _ = reader
    let seen = try afterPowerCut { client in
      (try client.titles(of: "root"), try client.get("/v1/items/\(first.text("/id") ?? "")"))
    }
    #expect(seen.0 == ["first", "photos"] + before + ["after"])
    #expect(seen.1.text("/notes") == notes)
  }

  @Test func `that cannot make up for it is refused`() throws {
    let server = try start()
    disk.fail(.error(EIO), at: 1, times: .max, of: .sync, on: .wal)
    _ = try writeUntilEnd(server)
    let error = #expect(throws: RunningServer.EarlyEnd.self) { try start() }
    #expect(error?.ending == .exit(74))
    #expect(error?.errors.contains("cannot be opened") == true)
    disk.repair()
    #expect(try writeAgain().count == 5)
  }
}
