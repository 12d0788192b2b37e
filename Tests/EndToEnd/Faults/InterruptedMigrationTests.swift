import Foundation
import Support
import Testing

/// A database full of data is brought up to date, on a disk that may fail at any call. However the first start
/// ends, the next one must have the same result as an undisturbed one.
@Suite(
  "A migration that broke off", .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct InterruptedMigrationTests {
  /// What an undisturbed migration makes of a database, and how many calls of the disk that takes.
  private struct Quiet: Sendable {
    let old: OldDatabase
    let contents: DatabaseContents
    let calls: Int
    let trace: DiskTrace
  }

  private static func migrate(
    _ folder: TemporaryFolder, _ environment: [String: String] = [:]
  ) throws -> Rowhouse.Result {
    try Rowhouse.run("migrate", "--db", folder.database, environment: environment)
  }

  private static func quietly(_ old: OldDatabase) throws -> Quiet {
    let disk = try FaultyDisk(below: try TemporaryFolder())
    try OldDatabase.put(old.files, into: disk.folder)
    disk.count(.changes)
    let result = try migrate(disk.folder, disk.environment(isTraced: true))
    try #require(result.ending == .exit(0), "\(old.testDescription): \(result.errors)")
    let contents = try DatabaseContents(at: disk.folder.database)
    try #require(contents.count(of: "row") > 15)
    return Quiet(
      old: old, contents: contents, calls: disk.calls, trace: try DiskTrace(path: disk.tracePath))
  }

  /// What is wrong with what the next start makes of a database; nil if nothing is.
  private static func fault(in folder: TemporaryFolder, _ quiet: Quiet) throws -> String? {
    let result = try migrate(folder)
    guard result.ending == .exit(0) else { return "not taken up: \(result.errors)" }
    let check = try Rowhouse.run("check", "--db", folder.database)
    guard check.ending == .exit(0) else { return "check: \(check.output + check.errors)" }
    let strange = try DatabaseContents(at: folder.database).difference(to: quiet.contents)
    return strange.isEmpty ? nil : "other rows in \(strange)"
  }

  /// The same after a fault at a call.
  private static func fault(
    after fault: FaultyDisk.Fault, at number: Int, _ quiet: Quiet
  ) throws -> String? {
    let disk = try FaultyDisk(below: try TemporaryFolder())
    try OldDatabase.put(quiet.old.files, into: disk.folder)
    disk.fail(fault, at: number, times: fault.isDeadly ? 1 : Int.max, of: .changes)
    let first = try migrate(disk.folder, disk.environment())
    let endings: [ChildProcess.Ending] =
      fault.isDeadly ? [.signal(SIGKILL)] : [.exit(0), .exit(73), .exit(74)]
    guard endings.contains(first.ending), disk.faults > 0 else {
      return "ended with \(first.ending) after \(disk.faults) faults: \(first.errors)"
    }
    return try Self.fault(in: disk.folder, quiet)
  }

  /// Does it with each of many on two threads; what was found.
  private static func findings<Case: Sendable>(
    _ cases: [Case], _ find: @escaping @Sendable (Case) throws -> String?
  ) throws -> [String] {
    try onThreads(2) { thread in
      cases.enumerated().filter { $0.offset % 2 == thread }.compactMap { _, one in
        do { return try find(one) } catch { return "\(error)" }
      }
    }.flatMap(\.self)
  }

  @Test(
    arguments: [
      FaultyDisk.Fault.kill(isTorn: true), .error(EIO, isTorn: true), .error(ENOSPC, isTorn: true),
    ])
  func `is finished by the next start, with all that was there`(_ fault: FaultyDisk.Fault) throws {
    var random = SplitMix64(seed: 1)
    var cases: [(quiet: Quiet, call: Int)] = []
    for old in try OldDatabase.all() {
      let quiet = try Self.quietly(old)
      #expect(quiet.calls > 8)
      if FaultyDisk.isThorough {
        // Failures that the program survives are tried at some calls, its end at each call.
        let first = fault.isDeadly ? 1 : .random(in: 1...4, using: &random)
        cases += stride(from: first, through: quiet.calls, by: fault.isDeadly ? 1 : 4)
          .map { (quiet, $0) }
      } else if fault.isDeadly {
        cases += (0..<2).map { _ in (quiet, .random(in: 1...quiet.calls, using: &random)) }
      } else if old.schema.isMultiple(of: 3) {
        cases.append((quiet, .random(in: 1...quiet.calls, using: &random)))
      }
    }
    let findings = try Self.findings(cases) { one in
      try Self.fault(after: fault, at: one.call, one.quiet).map {
        "\(one.quiet.old.testDescription), call \(one.call): \($0)"
      }
    }
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    if FaultyDisk.isThorough {
      print(
        "migrations of old databases with \(fault), at \(cases.count) calls:",
        "\(findings.count) findings")
    }
  }

  @Test func `is finished after a power cut, whatever was not synced`() throws {
    let quiets = try OldDatabase.all().map { try Self.quietly($0) }
    let images = FaultyDisk.isThorough ? 50 : 1
    let findings = try Self.findings(quiets) { quiet in
      try Self.faultAfterPowerCuts(images, quiet).map { "\(quiet.old.testDescription), \($0)" }
    }
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    if FaultyDisk.isThorough {
      print("\(images * quiets.count) power cuts in migrations: \(findings.count) findings")
    }
  }

  /// What is wrong with the first that has something wrong of so many disks, as each was found at a moment of
  /// its own.
  private static func faultAfterPowerCuts(_ images: Int, _ quiet: Quiet) throws -> String? {
    var random = SplitMix64(seed: UInt64(quiet.old.schema))
    let moments = (0..<images).map { _ in
      Int.random(in: 0..<quiet.trace.records.count, using: &random)
    }.sorted()
    var disk = TracedDisk(quiet.trace, holding: quiet.old.files)
    var passed = 0
    for moment in moments {
      while passed <= moment {
        disk.pass(passed)
        passed += 1
      }
      let loss = TracedDisk.Loss.allCases.randomElement(using: &random) ?? .everything
      let folder = try TemporaryFolder()
      try OldDatabase.put(disk.image(losing: loss, &random), into: folder)
      if let fault = try fault(in: folder, quiet) {
        return "moment \(moment), losing \(loss): \(fault)"
      }
    }
    return nil
  }
}
