import Foundation
import Support

/// A scripted day on a disk that fails, lived by a client that tries again until it is through.
///
/// After each answer it looks at what is there, and notes whatever should not be.
struct DayOnFaultyDisk {
  /// What a client sees before the first step, and after each.
  typealias Views = [ScriptedDay.View]

  private let day: ScriptedDay
  private let views: Views
  private let disk: FaultyDisk
  private var server: RunningServer
  private var step = 0
  private(set) var findings: [String] = []
  /// Whether the server may be killed by the disk.
  private let isDeadly: Bool

  private struct Hopeless: Error {}

  /// On the database that is there, with a disk that already waits to fail.
  init(_ day: ScriptedDay, expecting views: Views, on disk: FaultyDisk, isDeadly: Bool) throws {
    self.day = day
    self.views = views
    self.disk = disk
    self.isDeadly = isDeadly
    (server, findings) = try Self.start(disk, isDeadly)
  }

  /// Does everything, stops the server, and checks the database.
  mutating func live() throws {
    while step < day.steps.count {
      if step == day.restart {
        stop()
        try start()
      }
      try take()
    }
    stop()
    disk.repair()
    check()
    try start()
    expect(try look(), [views[step]], "in the end")
    stop()
  }

  private static func start(
    _ disk: FaultyDisk, _ isDeadly: Bool
  ) throws -> (RunningServer, [String]) {
    func server() throws -> RunningServer {
      try RunningServer(
        database: disk.folder.database, ["--log-format", "none"], environment: disk.environment())
    }
    do { return (try server(), []) } catch let early as RunningServer.EarlyEnd {
      // SQLite takes a file that cannot be read for a damaged one: 65.
      let codes: [Int32] = [65, 73, 74]
      let isTold = codes.contains { early.ending == .exit($0) } && !early.errors.isEmpty
      let isKilled = isDeadly && early.ending == .signal(SIGKILL)
      disk.repair()
      return (
        try server(),
        isTold || isKilled ? [] : ["the start ended with \(early.ending): \(early.errors)"]
      )
    }
  }

  private mutating func start() throws {
    let (server, findings) = try Self.start(disk, isDeadly)
    self.server = server
    self.findings += findings
  }

  private mutating func stop() {
    let ending = try? server.stop()
    let isKilled = isDeadly && ending == .signal(SIGKILL)
    if ending != .exit(0), ending != .exit(74), !isKilled {
      findings.append("the stop after step \(step) ended with \(ending as Any)")
    }
  }

  private mutating func check() {
    let check = try? Rowhouse.run("check", "--db", disk.folder.database)
    if check?.ending != .exit(0) {
      findings.append("check after step \(step): \(check?.output ?? "")\(check?.errors ?? "")")
    }
  }

  private mutating func expect(_ view: ScriptedDay.View, _ allowed: Views, _ what: String) {
    if !allowed.contains(view) { findings.append("step \(step), \(what): \(view)") }
  }

  /// Does the next step, however often it takes.
  private mutating func take() throws {
    for _ in 0..<4 {
      let answer = (try? server.connect()).flatMap { day.send(step, $0) }
      switch answer?.status {
      case .some(200..<300):
        step += 1
        expect(try look(), [views[step]], "after its answer")
        return
      case 507:
        // Nothing has happened, and reads go on; there is room again once something is removed.
        let view = try? day.view(server.connect())
        if view != views[step] { findings.append("step \(step), full: \(view as Any)") }
        disk.repair()
      case 500:
        disk.repair()
        expect(try look(), [views[step]], "refused")
      case 503, nil:
        try recover("\(answer?.status ?? 0) \(answer?.text("/code") ?? "")")
        expect(try look(), [views[step], views[step + 1]], "of unknown outcome")
      case .some(let status):
        findings.append("step \(step) was answered \(status) \(answer?.text("/code") ?? "")")
        throw Hopeless()
      }
    }
    findings.append("step \(step) never went through")
    throw Hopeless()
  }

  /// The server has ended, or is about to; starts it on a disk that works.
  private mutating func recover(_ answer: String) throws {
    let ending = try? server.process.waitForEnd()
    let isKilled = isDeadly && ending == .signal(SIGKILL)
    if ending != .exit(74), !isKilled {
      findings.append("step \(step), answered \(answer): ended with \(ending as Any)")
      throw Hopeless()
    }
    disk.repair()
    check()
    try start()
  }

  /// What is there; a read may fail, too, and the server may be ending behind its answer.
  private mutating func look() throws -> ScriptedDay.View {
    if let view = try? day.view(server.connect()) { return view }
    disk.repair()
    let server = server
    let seen = try poll("something to see, or the server's end") {
      let view = try? day.view(server.connect())
      return view != nil || server.process.endingIfAny() != nil ? (view: view, ()) : nil
    }
    if let view = seen.view { return view }
    try recover("a read")
    return try day.view(self.server.connect())
  }
}
