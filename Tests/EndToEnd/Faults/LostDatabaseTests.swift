import Foundation
import Support
import Testing

/// A server was killed, and its database's file is gone; the log beside it, which SQLite would remove, is left.
@Suite("A lost database whose log is left")
struct LostDatabaseTests {
  private let folder: TemporaryFolder
  private var copy: String { folder.file("copy.sqlite") }
  private var nothing: String { folder.file("nothing.ndjson") }

  init() throws { folder = try TemporaryFolder() }

  enum Loss: String, CaseIterable, Sendable {
    case removed, emptied
    /// With a journal in place of a write-ahead log, as before a database's first start is over.
    case journal
    /// A link leads to where it was.
    case linked
  }

  /// The contents of the files in the folder, by name. Of the lock only its presence, because it names the last process.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let isLock = name.hasSuffix(".lock")
      files[name] = isLock ? Data() : FileManager.default.contents(atPath: folder.file(name))
    }
    return files
  }

  /// A backup with one thing in it, and the log of a database that had another besides.
  ///
  /// - Returns: the path by which the database was served.
  private func lose(_ loss: Loss) throws -> String {
    var path = folder.database
    if loss == .linked {
      path = folder.file("link.sqlite")
      #expect(symlink("rowhouse.sqlite", path) == 0)
    }
    let server = try RunningServer(database: path, ["--log-format", "none"])
    let client = try server.connect()
    try client.makeThing("Globe", in: "root")
    #expect(try Rowhouse.run("backup", copy, "--db", path).ending == .exit(0))
    for _ in 0..<20 { try client.makeThing("Kettle", in: "root") }
    try server.kill()
    #expect(!(FileManager.default.contents(atPath: folder.database + "-wal") ?? Data()).isEmpty)
    switch loss {
    case .emptied: #expect(truncate(folder.database, 0) == 0)
    case .journal:
      unlink(folder.database)
      #expect(rename(folder.database + "-wal", folder.database + "-journal") == 0)
    case .removed, .linked: unlink(folder.database)
    }
    #expect(FileManager.default.createFile(atPath: nothing, contents: Data()))
    return path
  }

  static let commands = [
    ["serve", "--listen", "127.0.0.1:0"], ["migrate"], ["seed"], ["check"],
    ["check", "--repair-counts"], ["token", "list"], ["token", "create", "--name", "phone"],
    ["backup", "TARGET"], ["export", "TARGET"], ["import", "EMPTY"],
  ]

  @Test(arguments: Loss.allCases)
  func `is never created again: all commands say what to do, and change nothing`(_ loss: Loss)
    throws
  {
    let path = try lose(loss)
    for isLocked in [true, false] {
      if !isLocked { unlink(folder.database + ".lock") }
      let before = try files()
      for command in Self.commands {
        let arguments = command.map {
          $0 == "TARGET" ? folder.file("target") : $0 == "EMPTY" ? nothing : $0
        }
        let result = try Rowhouse.run(Rowhouse.executable, arguments + ["--db", path])
        #expect(result.ending == .exit(66), "\(command)")
        let log = folder.database + (loss == .journal ? "-journal" : "-wal")
        for words in [log, "rowhouse restore BACKUP --db \(folder.database) --force"] {
          #expect(result.errors.contains(words), "\(command): \(result.errors)")
        }
        #expect(try files() == before, "\(command)")
      }
    }
  }

  @Test(arguments: Loss.allCases)
  func `is restored without what its log holds, which is kept`(_ loss: Loss) throws {
    let path = try lose(loss)
    let suffix = loss == .journal ? "-journal" : "-wal"
    let log = FileManager.default.contents(atPath: folder.database + suffix)
    let restored = try Rowhouse.run("restore", copy, "--db", path, "--force")
    #expect(restored.ending == .exit(0), "\(restored.errors)")
    let aside = try #require(
      try files().first { $0.key.contains(".before-") && $0.key.hasSuffix(suffix) })
    #expect(aside.value == log)
    #expect(try Rowhouse.run("check", "--db", path).ending == .exit(0))
    let server = try RunningServer(database: path, ["--log-format", "none"])
    let rows = try server.connect().get("/v1/lists/root/rows?sentinel=false").rows
    #expect(rows.map(\.title) == ["Globe"])
    #expect(try server.stop() == .exit(0))
  }

  @Test func `is somebody's who still has it open`() throws {
    let server = try RunningServer(database: folder.database, ["--log-format", "none"])
    try server.connect().makeThing("Globe", in: "root")
    #expect(try Rowhouse.run("backup", copy, "--db", folder.database).ending == .exit(0))
    unlink(folder.database)
    for command in [["serve", "--listen", "127.0.0.1:0"], ["migrate"], ["restore", copy]] {
      let result = try Rowhouse.run(Rowhouse.executable, command + ["--db", folder.database])
      #expect(result.ending == .exit(75), "\(command): \(result.errors)")
    }
    try server.kill()
  }

  @Test(arguments: ["-shm", ".lock"])
  func `is none where nothing is left but what holds no data`(suffix: String) throws {
    // A lock file with anything but a process id would be another program's.
    let contents = suffix == ".lock" ? Data("4711\n".utf8) : Data(repeating: 0xA5, count: 32_768)
    try contents.write(to: URL(fileURLWithPath: folder.database + suffix))
    let server = try RunningServer(database: folder.database, ["--log-format", "none"])
    try server.connect().makeThing("Globe", in: "root")
    #expect(try server.stop() == .exit(0))
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }

  @Test func `its log spoils no backup that takes its name`() throws {
    let path = try lose(.removed)
    let other = folder.file("other.sqlite")
    #expect(try Rowhouse.run("seed", "--db", other).ending == .exit(0))
    let refused = try Rowhouse.run("backup", path, "--db", other, "--force")
    #expect(refused.ending == .exit(73))
    #expect(refused.errors.contains(path + "-wal"))
    unlink(path + "-wal")
    #expect(try Rowhouse.run("backup", path, "--db", other, "--force").ending == .exit(0))
  }
}
