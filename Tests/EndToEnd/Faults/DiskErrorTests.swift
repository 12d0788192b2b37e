import Foundation
import Support
import Testing

/// Everything that a server does in a short day, with the disk failing at the first call, the second, and
/// so on: at all of them in a thorough run, at a few of each kind otherwise.
@Suite(
  "When the disk fails at any call", .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct DiskErrorTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: FaultyDisk.Fault
    let calls: FaultyDisk.Calls
    /// Until it is repaired.
    var isLasting = false
  }

  static let kinds = [
    Kind(testDescription: "a write fails", fault: .error(EIO), calls: .write),
    Kind(
      testDescription: "a write fails in the middle", fault: .error(EIO, isTorn: true),
      calls: .write),
    Kind(
      testDescription: "writes fail from then on", fault: .error(EIO), calls: .write,
      isLasting: true),
    Kind(testDescription: "a sync fails", fault: .error(EIO), calls: .sync),
    Kind(
      testDescription: "syncs fail from then on", fault: .error(EIO), calls: .sync, isLasting: true),
    Kind(
      testDescription: "a file cannot be cut, opened or removed", fault: .error(EIO),
      calls: [.truncate, .open, .unlink]),
    Kind(
      testDescription: "no descriptor is left", fault: .error(EMFILE), calls: .open),
    Kind(testDescription: "a read fails", fault: .error(EIO), calls: .read),
    Kind(
      testDescription: "the disk is full until there is room", fault: .error(ENOSPC, isTorn: true),
      calls: .write, isLasting: true),
    Kind(
      testDescription: "the user's share of the disk is used up", fault: .error(EDQUOT),
      calls: .write),
    Kind(
      testDescription: "the server is killed", fault: .kill(isTorn: true), calls: .changes),
  ]

  private static let samples = 5

  /// A folder with a database that was in use before.
  private func makeFolder(_ original: TemporaryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: original.database, toPath: folder.database)
    return folder
  }

  private func makeOriginal() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let server = try RunningServer(database: folder.database, ["--log-format", "none"])
    try server.connect().makeThing("Globe", in: "root")
    #expect(try server.stop() == .exit(0))
    return folder
  }

  /// The views of a day on which nothing fails.
  private func views(_ day: ScriptedDay, _ original: TemporaryFolder) throws
    -> DayOnFaultyDisk.Views
  {
    let folder = try makeFolder(original)
    let server = try RunningServer(database: folder.database, ["--log-format", "none"])
    let client = try server.connect()
    var views = [try day.view(client)]
    for step in day.steps.indices {
      let answer = try #require(day.send(step, client))
      try #require(200..<300 ~= answer.status, "step \(step): \(answer.json as Any)")
      views.append(try day.view(client))
      #expect(views[step] != views[step + 1])
    }
    #expect(try server.stop() == .exit(0))
    return views
  }

  @Test(arguments: kinds)
  func `nothing answered is lost, and the server recovers`(_ kind: Kind) throws {
    let day = ScriptedDay()
    let original = try makeOriginal()
    let views = try views(day, original)

    let counted = try FaultyDisk(below: makeFolder(original))
    counted.count(kind.calls)
    var quiet = try DayOnFaultyDisk(day, expecting: views, on: counted, isDeadly: false)
    try quiet.live()
    try #require(quiet.findings.isEmpty, "\(quiet.findings)")

    let all = Array(1...counted.calls)
    let chosen =
      FaultyDisk.isThorough
      ? all : (0..<Self.samples).map { all[$0 * (all.count - 1) / (Self.samples - 1)] }
    let runs = try onThreads(2) { thread in
      var faults = 0
      var findings: [String] = []
      for number in chosen.enumerated().filter({ $0.offset % 2 == thread }).map(\.element) {
        do {
          let disk = try FaultyDisk(below: makeFolder(original))
          disk.fail(
            kind.fault, at: number, times: kind.isLasting ? Int.max : 1, of: kind.calls)
          var lived = try DayOnFaultyDisk(
            day, expecting: views, on: disk, isDeadly: kind.fault.isDeadly)
          do { try lived.live() } catch { findings.append("at call \(number): \(error)") }
          findings += lived.findings.map { "at call \(number): \($0)" }
          faults += disk.faults
        } catch { findings.append("at call \(number): \(error)") }
      }
      return (faults: faults, findings: findings)
    }
    let findings = runs.flatMap(\.findings)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    #expect(runs.reduce(0) { $0 + $1.faults } > 0)
    if FaultyDisk.isThorough {
      print("\(kind.testDescription), at each of \(chosen.count) calls: \(findings.count) findings")
    }
  }

  @Test func `a disk that takes half of every write is as good as another`() throws {
    let day = ScriptedDay()
    let original = try makeOriginal()
    let disk = try FaultyDisk(below: makeFolder(original))
    disk.fail(.short, at: 1, times: Int.max, of: .write)
    var lived = try DayOnFaultyDisk(
      day, expecting: try views(day, original), on: disk, isDeadly: false)
    try lived.live()
    #expect(lived.findings.isEmpty)
    #expect(disk.faults > 100)
  }

  @Test(arguments: [ENOSPC, EDQUOT])
  func `what does not fit is refused, and the server goes on`(code: Int32) throws {
    let disk = try FaultyDisk(below: try TemporaryFolder())
    let server = try RunningServer(
      database: disk.folder.database, ["--log-format", "none"], environment: disk.environment())
    let client = try server.connect()
    let item = try client.makeThing("Globe", in: "root")
    disk.fail(.error(code), at: 1, times: Int.max, of: .write)
    for _ in 0..<2 {
      #expect(
        try client.send("PATCH", "/v1/items/\(item)", ["name": "Map"]).status == 507)
      #expect(try client.get("/readyz").status == 503)
      #expect(try client.get("/v1/items/\(item)").status == 200)
    }
    #expect(disk.faults > 0)
    disk.repair()
    #expect(try client.send("PATCH", "/v1/items/\(item)", ["name": "Map"]).status == 200)
    #expect(try client.get("/readyz").status == 200)
    #expect(try server.stop() == .exit(0))
  }

  @Test func `a failed checkpoint is reported, and loses nothing`() throws {
    let disk = try FaultyDisk(below: try TemporaryFolder())
    let server = try RunningServer(
      database: disk.folder.database, ["--log-format", "none"], environment: disk.environment())
    let client = try server.connect()
    let item = try client.makeThing("Globe", in: "root")
    disk.fail(.error(EIO), at: 1, times: Int.max, of: .write, on: .database)
    let image = SampleImage.jpeg(size: 2 << 20)
    func add() throws -> String {
      let answer = try client.send("POST", "/v1/items/\(item)/photos", bytes: image)
      #expect(answer.status == 201)
      return "/v1/items/\(item)/photos/\(answer.text("/id") ?? "")"
    }
    var photos = try (0..<4).map { _ in try add() }
    let told = try poll("a line of the log") {
      // The server warns of the variables that control the disk.
      let faults = server.process.errors.split(separator: "\n")
        .filter { !$0.hasSuffix("is not an option of rowhouse.") }
      return faults.isEmpty ? nil : faults
    }
    // Once, and not for each write.
    #expect(told.count == 1)
    #expect(disk.faults > 1)
    disk.repair()
    photos.append(try add())
    #expect(try server.stop() == .exit(0))
    #expect(try Rowhouse.run("check", "--db", disk.folder.database).ending == .exit(0))
    let again = try RunningServer(database: disk.folder.database, ["--log-format", "none"])
    let reader = try again.connect()
    for photo in photos { #expect(try reader.get(photo).body == image) }
  }
}
