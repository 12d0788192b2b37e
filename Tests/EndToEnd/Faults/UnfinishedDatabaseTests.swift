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
