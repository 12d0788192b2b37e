import Foundation
import JSON
import Support
import Synchronization
import Testing

@Suite("Exports and imports of many rows")
struct TransferTests {
  private let folder: TemporaryFolder
  private static let rows = 100_000

  init() throws { folder = try TemporaryFolder() }

  /// A database with one list of many rows; the list.
  private func seed(_ database: String, rows: Int = Self.rows) throws -> String {
    let result = try Rowhouse.run("seed", "--rows", "\(rows)", "--db", database)
    try #require(result.ending == .exit(0))
    return String(try #require(result.output.split(separator: " ").last?.dropLast()))
  }

  private func export(_ database: String, to name: String) throws -> [UInt8] {
    let result = try Rowhouse.run("export", "--db", database, folder.file(name))
    try #require(result.ending == .exit(0), "\(result.errors)")
    return Array(try #require(FileManager.default.contents(atPath: folder.file(name))))
  }

  /// The most memory that the process has held, in KiB.
  private func peakMemory(_ server: RunningServer) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(server.process.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return try #require(line?.split(separator: " ").dropLast().last.flatMap { Int($0) })
  }

  @Test func `a hundred thousand rows go from one server to another, byte for byte`() throws {
    let list = try seed(folder.database)
    let source = try RunningServer(database: folder.database)
    let exported = try source.connect().get("/v1/export")
    #expect(exported.status == 200)
    #expect(exported["content-type"] == "application/x-ndjson")
    #expect(exported.body.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 } == Self.rows + 4)

    let target = try RunningServer(database: folder.file("target.sqlite"))
    let client = try target.connect()
    let before = try client.get("/v1/lists/root").number("/revision") ?? 0
    let answer = try client.send(
      "POST", "/v1/import?mode=replace", bytes: exported.body, type: "application/x-ndjson")
    #expect(answer.status == 200)
    #expect(answer.number("/items") == Self.rows)
    #expect(answer.number("/revision") == before + 1_000_000_000)
    #expect(try client.get("/v1/export").body == exported.body)
    #expect(try client.get("/v1/lists/\(list)").number("/rowCount") == Self.rows)
    // The file is some 30 MB; neither server held it, or its rows, in memory.
    #expect(try peakMemory(source) < 250_000)
    #expect(try peakMemory(target) < 250_000)
    #expect(try target.stop() == .exit(0))
    let check = try Rowhouse.run("check", "--db", folder.file("target.sqlite"))
    #expect(check.ending == .exit(0), "\(check.output)")
  }

  @Test func `the command line does the same without a server`() throws {
    _ = try seed(folder.database, rows: 3_000)
    let exported = try export(folder.database, to: "a.ndjson")
    let other = folder.file("other.sqlite")
    let file = folder.file("a.ndjson")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let trial = try Rowhouse.run("import", "--replace", "--dry-run", "--db", other, file)
    #expect(trial.ending == .exit(0))
    #expect(trial.output.contains("3002 would be made"))
    #expect(!FileManager.default.fileExists(atPath: other))
    let replaced = try Rowhouse.run("import", "--replace", "--db", other, file)
    #expect(replaced.ending == .exit(0))
    #expect(replaced.output.contains("2 lists, 3000 items and 0 photos read"))
    #expect(!replaced.output.contains("replaced"))
    let again = try Rowhouse.run("import", "--replace", "--dry-run", "--db", other, file)
    #expect(again.output.contains(". 1 list and 3000 items would be replaced"))
    #expect(try export(other, to: "b.ndjson") == exported)
    let merged = try Rowhouse.run("import", "--db", other, file)
    #expect(merged.output.contains("0 made, 0 changed"))
    let cut = folder.file("cut.ndjson")
    try Data(exported.dropLast(100)).write(to: URL(fileURLWithPath: cut))
    let refused = try Rowhouse.run("import", "--replace", "--db", other, cut)
    #expect(refused.ending == .exit(65))
    #expect(refused.errors.contains("Line 300"))
    #expect(try export(other, to: "c.ndjson") == exported)
  }

  @Test func `a new database becomes equal to the export`() throws {
    let source = folder.file("source.sqlite")
    do {
      let server = try RunningServer(database: source)
      let client = try server.connect()
      let lamp: JSONValue = ["name": "Lamp", "valueInDollars": 350]
      #expect(try client.send("POST", "/v1/lists/root/items", lamp).status == 201)
      #expect(try client.send("PUT", "/v1/appearance", ["currency": "EUR"]).status == 200)
    }
    let exported = try export(source, to: "a.ndjson")
    let other = folder.file("new.sqlite")
    let result = try Rowhouse.run("import", "--db", other, folder.file("a.ndjson"))
    #expect(result.ending == .exit(0))
    #expect(result.output.contains("in a new database"))
    #expect(try export(other, to: "b.ndjson") == exported)
  }

  @Test func `replacing says how many rows it purges from the trash`() throws {
    let other = folder.file("other.sqlite")
    _ = try seed(other, rows: 10)
    _ = try export(other, to: "a.ndjson")
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    for name in ["Heirloom", "Vase"] {
      let id = try client.makeThing(name, in: "root")
      #expect(try client.send("DELETE", "/v1/rows/\(id)").status == 200)
    }
    try #require(try server.stop() == .exit(0))
    func replace(_ options: String...) throws -> String {
      let result = try Rowhouse.run(
        Rowhouse.executable,
        ["import", "--replace", "--db", folder.database, folder.file("a.ndjson")] + options)
      #expect(result.ending == .exit(0), "\(result.errors)")
      return result.output
    }
    let trial = try replace("--dry-run")
    #expect(trial.hasSuffix(" made, 0 changed. 2 rows in the trash would be purged\n"), "\(trial)")
    let replaced = try replace()
    #expect(replaced.hasSuffix(" made, 0 changed. 2 rows in the trash were purged\n"))
    let again = try replace("--dry-run")
    #expect(again.hasSuffix(" made, 0 changed. 1 list and 10 items would be replaced\n"))
  }

  @Test func `a file that is cut off is refused by its last line, and changes nothing`() throws {
    let list = try seed(folder.database, rows: 20_000)
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let exported = try client.get("/v1/export").body
    for cut in [exported.count / 2, exported.count - 3] {
      for mode in ["replace", "merge"] {
        let answer = try client.send(
          "POST", "/v1/import?mode=\(mode)", bytes: Array(exported[..<cut]),
          type: "application/x-ndjson")
        #expect(answer.status == 422)
        let lines = exported[..<cut].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        // What is too much to be merged is refused as soon as that shows.
        if mode == "replace" { #expect(answer.number("/line") == lines) }
      }
    }
    #expect(try client.get("/v1/export").body == exported)
    #expect(try client.get("/v1/lists/\(list)").number("/rowCount") == 20_000)
  }

  @Test func `small writes and reads continue during a large import`() throws {
    _ = try seed(folder.database, rows: 30_000)
    let exported = try export(folder.database, to: "a.ndjson")
    let server = try RunningServer(database: folder.file("target.sqlite"))
    let list = try server.connect().makeList("Shelf")
    let isDone = Atomic<Bool>(false)
    let written = try onThreads(2) { number -> Int in
      let client = try server.connect()
      if number == 0 {
        defer { isDone.store(true, ordering: .releasing) }
        let answer = try client.send(
          "POST", "/v1/import", bytes: exported, type: "application/x-ndjson")
        #expect(answer.status == 200)
        return 0
      }
      var count = 0
      while !isDone.load(ordering: .acquiring) {
        try client.makeThing("Thing \(count)", in: list)
        #expect(try client.get("/v1/lists/\(list)").number("/rowCount") == count + 1)
        count += 1
      }
      return count
    } meanwhile: {
    }
    // Far more than if each had waited for the import's end.
    #expect(written[1] > 10)
    #expect(try server.connect().rows(of: "root").count == 2)
    #expect(try server.stop() == .exit(0))
    let check = try Rowhouse.run("check", "--db", folder.file("target.sqlite"))
    #expect(check.ending == .exit(0), "\(check.output)")
  }

  @Test(arguments: ["merge", "replace"])
  func `kill -9 amid an import leaves nothing of it, and the next works`(mode: String) throws {
    let list = try seed(folder.database, rows: 30_000)
    let exported = try export(folder.database, to: "a.ndjson")
    let target = try killAmidImport(of: exported, mode)
    let check = try Rowhouse.run("check", "--db", target)
    #expect(check.ending == .exit(0), "\(check.output)")
    let restarted = try RunningServer(database: target)
    let client = try restarted.connect()
    #expect(try client.titles(of: "root") == ["Kept"])
    #expect(try client.get("/v1/lists/\(list)").status == 404)
    // What is being cleared away still has its ids for a moment.
    _ = try poll("an import that works") {
      let answer = try client.send(
        "POST", "/v1/import?mode=\(mode)", bytes: exported, type: "application/x-ndjson")
      return answer.status == 200 ? true : nil
    }
    #expect(try client.get("/v1/lists/\(list)").number("/rowCount") == 30_000)
  }

  /// A database whose server was killed while it was at an import.
  private func killAmidImport(of exported: [UInt8], _ mode: String) throws -> String {
    for attempt in 0..<20 {
      let target = folder.file("target-\(attempt).sqlite")
      let server = try RunningServer(database: target)
      try server.connect().makeThing("Kept", in: "root")
      let statuses = try onThreads(1) { _ in
        // The server goes away while it waits.
        try? server.connect().send(
          "POST", "/v1/import?mode=\(mode)", bytes: exported, type: "application/x-ndjson"
        ).status
      } meanwhile: {
        // Some of the steps are in the log by then.
        let log = target + "-wal"
        _ = try poll("steps of the import") {
          let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
          return size > 1 << 20 ? true : nil
        }
        try server.kill()
      }
      // On a busy machine it may have been over by then.
      if statuses == [nil] { return target }
    }
    throw Overdue("a kill amid an import")
  }
}
