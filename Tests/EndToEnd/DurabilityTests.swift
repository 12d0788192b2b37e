import Foundation
import JSON
import Support
import Synchronization
import Testing

@Suite("Every answered write stays, however the server ends")
struct DurabilityTests {
  private static let writers = 4
  private static let kills = FaultyDisk.isThorough ? 300 : 20

  /// Makes a list for each writer.
  private func makeLists(_ database: String) throws -> [String] {
    let server = try RunningServer(database: database)
    let client = try server.connect()
    let lists = try (0..<Self.writers).map { try client.makeList("Shelf \($0)") }
    #expect(try server.stop() == .exit(0))
    return lists
  }

  /// Has all writers write until `end` has ended the server, after some answers.
  private func write(
    _ lists: [String], _ models: [ListModel], over server: RunningServer, seed: UInt64,
    answers: Int, end: () throws -> Void
  ) throws -> [WriterLog] {
    let count = AnswerCount()
    return try onThreads(lists.count) { number in
      try WriterLog.write(
        to: lists[number], models[number], seed: seed &* 31 &+ UInt64(number), over: server,
        answered: count.value)
    } meanwhile: {
      _ = try poll("\(answers) answers") {
        count.value.load(ordering: .relaxed) >= answers ? true : nil
      }
      try end()
    }
  }

  /// Compares what is there with what was answered; what is there.
  private func verify(
    _ lists: [String], _ logs: [WriterLog], over server: RunningServer
  ) throws -> [ListModel] {
    let client = try server.connect()
    return try zip(lists, logs).map { list, log in
      let page = try client.get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
      let present = ListModel(page.rows)
      #expect(log.refusals.isEmpty)
      #expect(present == log.model || present == log.model.applying(log.pending))
      let revision = try #require(page.number("/revision"))
      #expect(revision >= log.revision)
      return present
    }
  }

  @Test func `kill -9 amid writes, again and again, loses no answered write`() throws {
    let folder = try TemporaryFolder()
    let lists = try makeLists(folder.database)
    var models = lists.map { _ in ListModel() }
    var random = SplitMix64(seed: 9)
    var answers = 0
    // A writer may be so late that it comes when the server is gone.
    let port = try HeldPort()
    for round in 0..<Self.kills {
      let server = try RunningServer(database: folder.database, at: port)
      let logs = try write(
        lists, models, over: server, seed: UInt64(round),
        answers: Int.random(in: 1...120, using: &random)
      ) { try server.kill() }
      answers += logs.reduce(0) { $0 + $1.answers }
      // The check is the first to meet the file as it was left.
      let check = try Rowhouse.run("check", "--db", folder.database)
      #expect(check.ending == .exit(0), "round \(round): \(check.output) \(check.errors)")
      let restarted = try RunningServer(database: folder.database)
      models = try verify(lists, logs, over: restarted)
      try restarted.kill()
    }
    #expect(models.contains { !$0.entries.isEmpty })
    if FaultyDisk.isThorough {
      print("\(Self.kills) kills amid \(answers) answered writes: all of them are there")
    }
  }

  @Test func `SIGTERM under load ends with exit code 0 and loses no answered write`() throws {
    let folder = try TemporaryFolder()
    let lists = try makeLists(folder.database)
    let port = try HeldPort()
    let server = try RunningServer(database: folder.database, at: port)
    let logs = try write(
      lists, lists.map { _ in ListModel() }, over: server, seed: 5, answers: 200
    ) { try server.stop() }
    #expect(try server.process.waitForEnd() == .exit(0))
    // What was in the log has been copied into the database.
    let log = FileManager.default.contents(atPath: folder.database + "-wal")
    #expect(log?.isEmpty ?? true)
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
    _ = try verify(lists, logs, over: try RunningServer(database: folder.database))
  }
}
