import Foundation
import Support
import Testing

/// A database is made by one migration after another, each a transaction, in a disk's calls of which any
/// may fail.
@Suite(
  "A database whose making broke off",
  .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct UnfinishedDatabaseTests {
  private static let samples = 8

  private static func migrate(_ disk: FaultyDisk) throws -> Rowhouse.Result {
    try Rowhouse.run(
      "migrate", "--create", "--db", disk.folder.database, environment: disk.environment())
  }

  /// What is wrong after a fault at that call; nil if nothing is.
  private static func fault(_ fault: FaultyDisk.Fault, at number: Int) throws -> String? {
    let disk = try FaultyDisk(below: try TemporaryFolder())
    disk.fail(fault, at: number, times: fault.isDeadly ? 1 : Int.max, of: .changes)
    let first = try migrate(disk)
    let endings: [ChildProcess.Ending] = [.exit(0), .exit(73), .exit(74)]
    guard endings.contains(first.ending) || fault.isDeadly && first.ending == .signal(SIGKILL)
    else {
      return "ended with \(first.ending): \(first.errors)"
    }
    disk.repair()
    let second = try migrate(disk)
    guard second.ending == .exit(0) else { return "not taken up: \(second.errors)" }
    let check = try Rowhouse.run("check", "--db", disk.folder.database)
    guard check.ending == .exit(0) else { return "check: \(check.output + check.errors)" }
    return nil
  }

  @Test(arguments: [
    ["migrate", "--create"], ["seed"], ["token", "create", "--create", "--name", "Sam"],
    ["import", "EXPORT"], ["serve", "--listen", "127.0.0.1:0"],
  ])
  func `is removed by the process that made it`(command: [String]) throws {
    let source = try TemporaryFolder()
    let export = source.file("export")
    try #require(try Rowhouse.run("seed", "--db", source.database).ending == .exit(0))
    try #require(try Rowhouse.run("export", "--db", source.database, export).ending == .exit(0))
    // The first call, one of the first migration, and later ones. A new database takes more than 200.
    for number in [1, 5, 20, 60, 120] {
      let disk = try FaultyDisk(below: try TemporaryFolder())
      disk.fail(.error(EIO, isTorn: true), at: number, times: Int.max, of: [.write, .sync])
      let result = try Rowhouse.run(
        Rowhouse.executable,
        command.map { $0 == "EXPORT" ? export : $0 } + ["--db", disk.folder.database],
        environment: disk.environment())
      #expect(result.ending == .exit(74), "at call \(number): \(result.errors)")
      #expect(!result.errors.contains("CREATE"))
      let files = try FileManager.default.contentsOfDirectory(atPath: disk.folder.path)
      #expect(files == ["disk-control"], "at call \(number)")
    }
  }

  @Test(
    arguments: [
      FaultyDisk.Fault.kill(isTorn: true), .error(EIO, isTorn: true), .error(ENOSPC, isTorn: true),
    ])
  func `is finished by the next start`(_ fault: FaultyDisk.Fault) throws {
    let disk = try FaultyDisk(below: try TemporaryFolder())
    disk.count(.changes)
    #expect(try Self.migrate(disk).ending == .exit(0))
    let all = Array(1...disk.calls)
    let chosen =
      FaultyDisk.isThorough
      ? all : (0..<Self.samples).map { all[$0 * (all.count - 1) / (Self.samples - 1)] }
    let findings = try onThreads(2) { thread in
      try chosen.enumerated().filter { $0.offset % 2 == thread }.compactMap { _, number in
        try Self.fault(fault, at: number).map { "at call \(number): \($0)" }
      }
    }.flatMap(\.self)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    if FaultyDisk.isThorough {
      print(
        "migrations with \(fault), at each of \(chosen.count) calls: \(findings.count) findings")
    }
  }
}

extension FaultyDisk.Fault {
  /// Whether it ends the process.
  var isDeadly: Bool { if case .kill = self { true } else { false } }
}
