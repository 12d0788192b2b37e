import Foundation
import JSON
import Support
import Synchronization
import Testing

@Suite("A lost database is brought back from a backup that was made under load")
struct RestoreDrillTests {
  private let folder: TemporaryFolder
  private var copy: String { folder.file("copy.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// A thing that somebody was told is there, and the revision that made it.
  private struct Answered: Sendable {
    let name: String
    let revision: Int
  }

  /// How much the writers have been answered, and whether they are to stop.
  private final class Pace: Sendable {
    let answers = Atomic(0)
    let isOver = Atomic(false)

    func wait(for more: Int) throws {
      let goal = answers.load(ordering: .relaxed) + more
      _ = try poll("\(more) answers") { answers.load(ordering: .relaxed) >= goal ? true : nil }
    }
  }

  private static func write(
    _ number: Int, to list: String, _ server: RunningServer, _ pace: Pace
  ) throws -> [Answered] {
    let client = try server.connect()
    var answered: [Answered] = []
    while !pace.isOver.load(ordering: .relaxed) {
      let name = "Thing \(number)-\(answered.count)"
      let answer = try client.send("POST", "/v1/lists/\(list)/items", ["name": .string(name)])
      guard answer.status == 201, let revision = answer.number("/receipt/revision") else {
        throw Client.Fault.malformed("\(answer.status)")
      }
      answered.append(Answered(name: name, revision: revision))
      pace.answers.add(1, ordering: .relaxed)
    }
    return answered
  }

  private func destroy(_ how: String) throws {
    if how == "deleted" {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: folder.database + suffix)
      }
      return
    }
    let file = try #require(FileHandle(forUpdatingAtPath: folder.database))
    // The page of the schema, behind the header.
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 3_996))
    try file.close()
    let start = try Rowhouse.run("serve", "--db", folder.database, "--listen", "127.0.0.1:0")
    #expect(start.ending == .exit(65))
    for words in [
      "rowhouse restore BACKUP --db \(folder.database) --force",
      "rowhouse check --db \(folder.database) ",
    ] {
      #expect(start.errors.contains(words))
    }
    let unmeant = try Rowhouse.run("restore", copy, "--db", folder.database)
    #expect(unmeant.ending == .exit(73))
  }

  @Test(arguments: ["damaged", "deleted"])
  func `with all that was answered up to its revision, and no more`(how: String) throws {
    #expect(try Rowhouse.run("seed", "--db", folder.database).ending == .exit(0))
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let list = try client.makeList("Under load")
    let globe = try client.makeThing("Globe", in: "root")
    let image = SampleImage.jpeg(padding: 300_000)
    let photo = try #require(
      try client.send("POST", "/v1/items/\(globe)/photos", bytes: image).text("/id"))

    let pace = Pace()
    var backup: Rowhouse.Result?
    let answered = try onThreads(3) { number in
      try Self.write(number, to: list, server, pace)
    } meanwhile: {
      defer { pace.isOver.store(true, ordering: .relaxed) }
      try pace.wait(for: 50)
      backup = try Rowhouse.run("backup", copy, "--db", folder.database)
      try pace.wait(for: 50)
    }.flatMap { $0 }
    #expect(backup?.ending == .exit(0), "\(backup?.errors ?? "")")
    let words = (backup?.output ?? "").split(whereSeparator: { " ,".contains($0) })
    let mark = try #require(words.firstIndex(of: "revision"))
    let revision = try #require(Int(words[mark + 1]))
    let last = try #require(answered.map(\.revision).max())
    #expect(revision < last)
    #expect(answered.contains { $0.revision <= revision })

    #expect(
      try Rowhouse.run("restore", copy, "--db", folder.database, "--force").ending == .exit(75))
    #expect(try server.stop() == .exit(0))
    try destroy(how)
    let restored = try Rowhouse.run(
      Rowhouse.executable,
      ["restore", copy, "--db", folder.database] + (how == "deleted" ? [] : ["--force"]))
    #expect(restored.ending == .exit(0), "\(restored.errors)")
    #expect(restored.output.contains(".before-") == (how == "damaged"))
    let check = try Rowhouse.run("check", "--db", folder.database)
    #expect(check.ending == .exit(0), "\(check.output)")

    let again = try RunningServer(database: folder.database)
    let reader = try again.connect()
    let names = try reader.get("/v1/export?listId=\(list)").body.split(separator: 10)
      .compactMap { try? JSONReader.parse(Array($0))["name"]?.text }
    #expect(Set(names) == Set(answered.filter { $0.revision <= revision }.map(\.name)))
    #expect(try reader.get("/v1/items/\(globe)/photos/\(photo)").body == image)
    try expectResync(of: list, from: last, reader, again)
    #expect(try again.stop() == .exit(0))
  }

  /// A client that saw lost changes gets a resync, and continues from there.
  private func expectResync(
    of list: String, from last: Int, _ client: Client, _ server: RunningServer
  ) throws {
    let changes = try client.get("/v1/lists/\(list)/changes?since=\(last)")
    #expect(changes.status == 410)
    #expect(changes.text("/code") == "resync")
    let events = try EventReader(try server.connect(), "/v1/events", after: last)
    let event = try #require(try events.next())
    #expect(event.name == "resync")
    let id = try #require(event.id)
    #expect(id > last)

    var mirror = try MirroredList(try Mirror.page(of: list, client))
    #expect(mirror.revision > last)
    try client.makeThing("After", in: list)
    let next = try #require(try events.next())
    #expect(next.name == "change")
    #expect(next.number("/fromRevision") == id)
    for delta in next.at("/deltas")?.elements ?? [] where delta["listId"]?.text == list {
      try mirror.apply(delta)
    }
    let present = try MirroredList(try Mirror.page(of: list, client))
    #expect(mirror.rows == present.rows)
    #expect(mirror.revision == present.revision)
  }

  @Test func `a start soon after a backup makes no other, and reports the existing one`()
    throws
  {
    let backups = folder.file("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    func start() throws -> RunningServer {
      try RunningServer(
        database: folder.database, ["--backup-to", backups, "--backup-every", "1d"])
    }
    func copies() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: backups).filter {
        $0.hasSuffix(".sqlite")
      }
    }
    let first = try start()
    let copy = try poll("a backup") { try copies().first }
    #expect(try first.stop() == .exit(0))

    let second = try start()
    let client = try second.connect()
    // What is not to come cannot be waited for: a copy of so little takes less time than this.
    for number in 0..<100 { _ = try client.makeList("Shelf \(number)") }
    let metrics = try MetricsText(
      String(decoding: client.get("/metrics").body, as: UTF8.self))
    #expect(metrics["rowhouse_backup_success_time_seconds"] != nil)
    #expect(try second.stop() == .exit(0))
    #expect(try copies() == [copy])
    // One within the same second would have failed for its name.
    #expect(!second.process.errors.contains("ackup"))
  }

  @Test func `the server makes backups by itself, and keeps the newest`() throws {
    let backups = folder.file("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    let missing = try Rowhouse.run(
      "serve", "--db", folder.database, "--listen", "127.0.0.1:0", "--backup-to",
      folder.file("none"))
    #expect(missing.ending == .exit(73))
    let foreign = backups + "/rowhouse-other.sqlite"
    #expect(FileManager.default.createFile(atPath: foreign, contents: nil))

    let server = try RunningServer(
      database: folder.database,
      ["--backup-to", backups, "--backup-every", "1s", "--backup-keep", "2"])
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: backups).sorted().filter {
        $0 != "rowhouse-other.sqlite"
      }
    }
    // A draft has another ending until it is whole.
    func copies() throws -> [String] { try files().filter { $0.hasSuffix(".sqlite") } }
    let first = try poll("a backup") { try copies().first }
    _ = try poll("the first to go") { try copies().contains(first) ? nil : true }
    #expect(try server.stop() == .exit(0))
    let kept = try files()
    #expect(kept.count == 2)
    for name in kept {
      #expect(try Rowhouse.run("check", "--db", backups + "/" + name).ending == .exit(0))
    }
    #expect(FileManager.default.fileExists(atPath: foreign))
    #expect(server.process.errors.contains("Backup \(backups)/\(first): "))
  }

  @Test
  func `a restored copy leaves the backups of the first database alone, and is no backup itself`()
    throws
  {
    let backups = folder.file("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    func copies() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: backups).filter {
          $0.hasSuffix(".sqlite")
        })
    }
    let options = ["--backup-to", backups, "--backup-every", "1s", "--backup-keep", "1"]
    let first = try RunningServer(database: folder.database, options)
    _ = try poll("a backup") { try copies().first }
    #expect(try first.stop() == .exit(0))
    let others = try copies()
    let notes = try #require(others.first) + ".part-of-my-notes"
    #expect(FileManager.default.createFile(atPath: backups + "/" + notes, contents: nil))

    try FileManager.default.createDirectory(
      atPath: folder.file("second"), withIntermediateDirectories: false)
    let second = folder.file("second/rowhouse.sqlite")
    let backup = backups + "/" + (others.first ?? "")
    #expect(try Rowhouse.run("restore", backup, "--db", second).ending == .exit(0))
    let refused = try Rowhouse.run("backup", second, "--force", "--db", folder.database)
    #expect(refused.ending != .exit(0))

    let server = try RunningServer(database: second, options)
    let made = try poll("a backup of the copy") { try copies().subtracting(others).first }
    _ = try poll("it to go") { try copies().contains(made) ? nil : true }
    #expect(try server.stop() == .exit(0))
    #expect(try copies().isSuperset(of: others))
    #expect(FileManager.default.fileExists(atPath: backups + "/" + notes))
  }

  @Test func `a copy is not removed because older ones have later times in their names`() throws {
    let backups = folder.file("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    func copies() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: backups).filter {
          $0.hasSuffix(".sqlite")
        })
    }
    func start(_ pause: String) throws -> RunningServer {
      try RunningServer(
        database: folder.database,
        ["--backup-to", backups, "--backup-every", pause, "--backup-keep", "2"])
    }
    let first = try start("1d")
    let copy = try poll("a backup") { try copies().first }
    #expect(try first.stop() == .exit(0))
    // Made while the clock was ahead.
    let stamp = "20261121T083000Z.sqlite"
    let ahead: [String] = (1...3).map { day in
      "\(copy.dropLast(stamp.count))2999010\(day)T000000Z.sqlite"
    }
    for name in ahead {
      try FileManager.default.copyItem(atPath: backups + "/" + copy, toPath: backups + "/" + name)
    }
    let second = try start("1s")
    _ = try poll("the first to go") { try copies().contains(copy) ? nil : true }
    #expect(try second.stop() == .exit(0))
    let kept = try copies()
    #expect(kept.subtracting(ahead).count == 2)
    #expect(kept.isSuperset(of: ahead))
  }

  private static let clockLibrary = FaultyDisk.compile("set-clock", for: "jumps of the clock")

  @Test(.enabled(if: clockLibrary != nil, "needs a C compiler"))
  func `backups go on when a clock that was ahead is set right`() throws {
    let backups = folder.file("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    let clock = folder.file("clock")
    try Data("\(10 * 86_400)".utf8).write(to: URL(fileURLWithPath: clock))
    let server = try RunningServer(
      database: folder.database, ["--backup-to", backups, "--backup-every", "2s"],
      environment: ["LD_PRELOAD": Self.clockLibrary ?? "", "ROWHOUSE_CLOCK_FILE": clock])
    func copies() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: backups).filter {
          $0.hasSuffix(".sqlite")
        })
    }
    // The second one comes after a wait. The kernel's clock is right, so a wait for a time of the wall clock takes days.
    let ahead = try poll("two backups") { try copies().count > 1 ? copies().min() : nil }
    try Data("0".utf8).write(to: URL(fileURLWithPath: clock))
    // The names sort by time.
    _ = try poll("an earlier name") { try copies().contains { $0 < ahead } ? true : nil }
    #expect(try server.stop() == .exit(0))
  }

  @Test func `two servers that share a backup folder keep to their own copies`() throws {
    let backups = folder.file("backups")
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
    let databases = try ["one", "two"].map { name in
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
      return folder.file(name) + "/rowhouse.sqlite"
    }
    let copy = ["--backup-to", backups, "--backup-keep", "1", "--backup-every"]
    func copies() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: backups).filter {
          $0.hasSuffix(".sqlite")
        })
    }
    // The second makes its first copy although the folder has a new one, maybe of the same second.
    let second = try RunningServer(database: databases[1], copy + ["1d"])
    let kept = try poll("a backup") { try copies().first }
    #expect(try second.stop() == .exit(0))
    let first = try RunningServer(database: databases[0], copy + ["1s"])
    let other = try poll("another backup") { try copies().first { $0 != kept } }
    _ = try poll("the first to go") { try copies().contains(other) ? nil : true }
    #expect(try copies().contains(kept))
    #expect(try first.stop() == .exit(0))
    #expect(!first.process.errors.contains("failed"))
  }
}
