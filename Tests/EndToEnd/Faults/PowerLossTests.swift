import Foundation
import Support
import Synchronization
import Testing

/// A server is traced under load, from an empty folder through restarts and checkpoints. Then the power
/// goes at moments of the trace, and what a disk may hold by then is opened.
@Suite("When the power goes", .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct PowerLossTests {
  private static let writers = 4
  private static let rounds = 3
  private static let images = FaultyDisk.isThorough ? 3_000 : 30
  private static let writes = FaultyDisk.isThorough ? 120 : 40

  /// What clients were told while the trace was made.
  private struct Day: Sendable {
    var ledgers: [PairLedger]
    var photos: [(revision: Int, path: String)] = []
    let image = SampleImage.jpeg(size: 700_000)
  }

  private func record(_ folder: TemporaryFolder, seed: UInt64) throws -> (DiskTrace, Day) {
    let disk = try FaultyDisk(below: folder)
    var day = Day(ledgers: (0..<Self.writers).map { _ in PairLedger() })
    let item = newID()
    for round in 0..<Self.rounds {
      let server = try RunningServer(
        database: folder.database, ["--log-format", "none"],
        environment: disk.environment(isTraced: true))
      let client = try server.connect()
      if round == 0 {
        try #require(
          client.send("POST", "/v1/lists/root/items", ["id": .string(item), "name": "Globe"]).status
            == 201)
      }
      let ledgers = day.ledgers
      day.ledgers = try onThreads(Self.writers) { number in
        var ledger = ledgers[number]
        let client = try server.connect()
        if round == 0 { try ledger.makeLists(client) }
        try ledger.write(
          Self.writes, seed: seed &* 100 &+ UInt64(round * 10 + number), over: client)
        return ledger
      } meanwhile: {
        for _ in 0..<3 {
          let answer = try client.send("POST", "/v1/items/\(item)/photos", bytes: day.image)
          let revision = try #require(answer["rowhouse-revision"].flatMap { Int($0) })
          day.photos.append((revision, "/v1/items/\(item)/photos/\(answer.text("/id") ?? "")"))
        }
      }
      #expect(try server.stop() == .exit(0))
    }
    return (try DiskTrace(path: disk.tracePath), day)
  }

  /// A moment just behind any record, an answer, the end of a sync, or a write to the database itself,
  /// which a checkpoint makes.
  private static func moment(
    in trace: DiskTrace, _ random: inout some RandomNumberGenerator
  ) -> Int {
    let isWanted: (DiskTrace.Record) -> Bool =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: { $0.kind == .sent }
      case 1: { $0.kind == .syncBegun || $0.kind == .syncEnded }
      case 2: { $0.kind == .written && $0.file == .database }
      default: { _ in true }
      }
    let start = Int.random(in: 0..<trace.records.count, using: &random)
    return trace.records[start...].firstIndex(where: isWanted) ?? start
  }

  /// What is wrong with a disk as it was found; nil if nothing is.
  private static func fault(
    _ image: [DiskTrace.File: [UInt8]], told: Int, _ day: Day, isCheckedFirst: Bool
  ) throws -> String? {
    let folder = try TemporaryFolder()
    for (file, bytes) in image {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.database + file.suffix))
    }
    if isCheckedFirst, told > 0 {
      let check = try Rowhouse.run("check", "--db", folder.database)
      guard check.ending == .exit(0) else { return "check first: \(check.output + check.errors)" }
    }
    let server = try RunningServer(database: folder.database, ["--log-format", "none"])
    let client = try server.connect()
    let revision = try client.send("HEAD", "/v1/events")["rowhouse-revision"].flatMap { Int($0) }
    guard let revision, revision >= told else {
      return "revision \(revision ?? -1) where clients had received \(told)"
    }
    for ledger in day.ledgers {
      guard try ledger.present(client) == ledger.lists(at: revision) else {
        return "other rows at revision \(revision)"
      }
    }
    for photo in day.photos where photo.revision <= revision {
      guard try client.get(photo.path).body == day.image else { return "no \(photo.path)" }
    }
    try server.kill()
    let check = try Rowhouse.run("check", "--db", folder.database)
    return check.ending == .exit(0) ? nil : "check: \(check.output + check.errors)"
  }

  /// What is wrong with so many disks, each found after a power cut at a moment of its own.
  private func faults(
    of trace: DiskTrace, _ day: Day, images: Int, isLying: Bool = false,
    losing losses: [TracedDisk.Loss] = TracedDisk.Loss.allCases
  ) throws -> [String] {
    try onThreads(2) { thread in
      var random = SplitMix64(seed: UInt64(1_000 + thread))
      let moments = (0..<images / 2).map { _ in Self.moment(in: trace, &random) }.sorted()
      var disk = TracedDisk(trace, isLying: isLying)
      var passed = 0
      var faults: [String] = []
      for (number, moment) in moments.enumerated() {
        while passed <= moment {
          disk.pass(passed)
          passed += 1
        }
        let loss = losses[number % losses.count]
        let image = disk.image(losing: loss, &random)
        let isCheckedFirst = Bool.random(using: &random)
        let fault: String?
        do {
          fault = try Self.fault(
            image, told: trace.records[moment].told, day, isCheckedFirst: isCheckedFirst)
        } catch { fault = "\(error)" }
        if let fault { faults.append("moment \(moment), losing \(loss): \(fault)") }
      }
      return faults
    }.flatMap(\.self)
  }

  @Test func `whatever was not synced may be lost or torn, and no answered change is`() throws {
    let (trace, day) = try record(TemporaryFolder(), seed: 1)
    func has(_ kind: DiskTrace.Kind, _ file: DiskTrace.File) -> Int {
      trace.records.count { $0.kind == kind && $0.file == file }
    }
    // It has what can go wrong: the log begun anew while the server ran, and cut at the end.
    #expect(has(.syncEnded, .database) > 2 * Self.rounds)
    #expect(has(.truncated, .wal) + has(.unlinked, .wal) >= Self.rounds)
    #expect(trace.records.last?.told ?? 0 > Self.writes * Self.writers)

    let faults = try faults(of: trace, day, images: Self.images)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    // Where the disk only says that it has synced, nothing helps: so this is able to fail.
    #expect(
      try !self.faults(of: trace, day, images: 6, isLying: true, losing: [.everything]).isEmpty)
    if FaultyDisk.isThorough {
      print(
        "\(Self.images) power cuts at moments of \(trace.records.count): \(faults.count) faults")
    }
  }
}
