import Foundation
import Support
import Testing

@Suite("Backups in the place of databases")
struct OpenedBackupTests {
  private let folder: TemporaryFolder
  private let database: String
  private let backup: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("own.sqlite")
    backup = folder.file("copy")
    try #require(try Rowhouse.run("seed", "--db", database).ending == .exit(0))
    let token = try Rowhouse.run("token", "create", "--name", "Sam", "--db", database)
    try #require(token.ending == .exit(0))
    try #require(try Rowhouse.run("backup", backup, "--db", database).ending == .exit(0))
  }

  private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  private var files: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
  }

  @Test(arguments: [["export"], ["token", "list"], ["check"]])
  func `a command that reads a backup does not change it`(command: [String]) throws {
    let before = contents(backup)
    let names = try files
    let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", backup])
    #expect(result.ending == .exit(0))
    #expect(result.errors.isEmpty)
    #expect(contents(backup) == before)
    #expect(try files == names)
    let original = try Rowhouse.run(Rowhouse.executable, command + ["--db", database])
    let output = result.output.replacingOccurrences(of: backup, with: database)
    #expect(output == original.output)
    let next = try Rowhouse.run("backup", backup, "--force", "--db", database)
    #expect(next.ending == .exit(0), "\(next.errors)")
  }

  @Test(arguments: [["seed"], ["token", "create", "--name", "Kim"], ["import", "EXPORT"]])
  func `a command that writes to a backup says that it is a database now`(
    command: [String]
  ) throws {
    let export = folder.file("all.ndjson")
    try #require(try Rowhouse.run("export", export, "--db", database).ending == .exit(0))
    let arguments = command.map { $0 == "EXPORT" ? export : $0 } + ["--db", backup]
    let note = "\(backup) was a backup."
    let first = try Rowhouse.run(Rowhouse.executable, arguments)
    #expect(first.ending == .exit(0))
    #expect(first.errors.contains(note))
    #expect(first.errors.contains("rowhouse restore BACKUP"))
    let second = try Rowhouse.run(Rowhouse.executable, arguments)
    #expect(second.ending == .exit(0))
    #expect(!second.errors.contains(note))
  }

  @Test func `a server of a backup says that it is a database now`() throws {
    let server = try RunningServer(database: backup)
    #expect(try server.stop() == .exit(0))
    #expect(server.process.errors.contains("copy was a backup."))
    let again = try RunningServer(database: backup)
    #expect(try again.stop() == .exit(0))
    #expect(!again.process.errors.contains("was a backup."))
  }

  // The file has two inventories.
  @Test(arguments: [
    ["export", "--inventory", "01a1fd30-101f-76bc-8c1f-0a7736f361c4"], ["token", "list"],
  ])
  func `a backup with an older schema is refused, and not changed`(command: [String]) throws {
    let old = folder.file("old")
    let fixtures = Rowhouse.sourceFolder + "/Tests/StorageTests/Fixtures"
    try FileManager.default.copyItem(atPath: fixtures + "/schema-0019.sqlite", toPath: old)
    let before = contents(old)
    let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", old])
    #expect(result.ending == .exit(65))
    #expect(result.errors.contains("Run rowhouse migrate first."))
    #expect(contents(old) == before)
    #expect(try Rowhouse.run("migrate", "--db", old).ending == .exit(0))
    let migrated = contents(old)
    #expect(try Rowhouse.run(Rowhouse.executable, command + ["--db", old]).ending == .exit(0))
    #expect(contents(old) == migrated)
  }

  @Test func `a database that migrate has made is not a backup`() throws {
    let new = folder.file("new.sqlite")
    #expect(try Rowhouse.run("migrate", "--create", "--db", new).ending == .exit(0))
    let refused = try Rowhouse.run("backup", new, "--force", "--db", database)
    #expect(refused.ending == .exit(73))
    let exported = try Rowhouse.run("export", "--db", new)
    #expect(exported.ending == .exit(0))
    #expect(!exported.output.isEmpty)
    let seeded = try Rowhouse.run("seed", "--db", new)
    #expect(seeded.ending == .exit(0))
    #expect(seeded.errors.isEmpty)
  }
}
