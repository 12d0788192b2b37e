import Foundation
import JSON
import Support
import Testing

@Suite("Photos go from server to server")
struct PhotoTransferTests {
  private let folder: TemporaryFolder
  private let type = "application/x-ndjson"

  init() throws { folder = try TemporaryFolder() }

  /// A database with a globe that has photos of these sizes; the globe.
  private func seed(_ sizes: [Int], _ server: RunningServer) throws -> String {
    let client = try server.connect()
    let globe = try client.makeThing("Globe", in: try client.makeList("Shelf"))
    for (number, size) in sizes.enumerated() {
      let image = SampleImage.jpeg(size: size, seed: UInt64(number))
      let answer = try client.send("POST", "/v1/items/\(globe)/photos", bytes: image)
      try #require(answer.status == 201)
    }
    return globe
  }

  private func stopAndCheck(_ server: RunningServer, _ database: String) throws {
    #expect(try server.stop() == .exit(0))
    let check = try Rowhouse.run("check", "--db", database)
    #expect(check.ending == .exit(0), "\(check.output)")
  }

  @Test func `sixty mebibytes of photos arrive byte for byte, in little memory`() throws {
    let source = try RunningServer(database: folder.database)
    let globe = try seed([20 << 20, 20 << 20, 19 << 20, 1 << 20, 300], source)
    let memory = ProcessMemory(source.process.pid)
    try memory.forgetPeak()
    let start = try memory.resident()
    let exported = try source.connect().get("/v1/export")
    #expect(exported.status == 200)
    let grown = try memory.peak() - start
    #expect(grown < 24 << 20)

    let database = folder.file("target.sqlite")
    let target = try RunningServer(database: database)
    let client = try target.connect()
    // The first of everything takes memory that stays.
    _ = try client.makeThing("Lamp", in: "root")
    let there = ProcessMemory(target.process.pid)
    let before = try there.resident()
    let answer = try client.send(
      "POST", "/v1/import?mode=replace", bytes: exported.body, type: type)
    #expect(answer.status == 200)
    #expect(answer.number("/photos") == 5)
    let grownThere = try there.peak() - before
    #expect(grownThere < 32 << 20)
    #expect(try client.get("/v1/export").body == exported.body)
    #expect(
      try client.get("/v1/items/\(globe)/photos").body
        == source.connect().get("/v1/items/\(globe)/photos").body)
    try stopAndCheck(target, database)
  }

  @Test func `a photo of a server with a higher limit goes by the command line`() throws {
    let source = try RunningServer(database: folder.database, ["--photo-size", "40MiB"])
    let globe = try seed([21 << 20], source)
    let file = folder.file("a.ndjson")
    try Data(try source.connect().get("/v1/export").body).write(to: URL(fileURLWithPath: file))
    let database = folder.file("target.sqlite")
    #expect(try Rowhouse.run("import", file, "--db", database).ending == .exit(0))
    let target = try RunningServer(database: database)
    #expect(try target.connect().get("/v1/items/\(globe)/photos").number("/count") == 1)
    try stopAndCheck(target, database)
  }

  @Test func `photos take the place of what is there, and go by the command line, byte for byte`()
    throws
  {
    let source = try RunningServer(database: folder.database)
    _ = try seed([2 << 20, 1 << 20, 300], source)
    let exported = try source.connect().get("/v1/export")
    let database = folder.file("target.sqlite")
    let target = try RunningServer(database: database)
    let client = try target.connect()
    for mode in ["merge", "replace"] {
      let answer = try client.send(
        "POST", "/v1/import?mode=\(mode)", bytes: exported.body, type: type)
      #expect(answer.status == 200)
      #expect(answer.number("/photos") == 3)
    }
    #expect(try client.get("/v1/export").body == exported.body)
    try stopAndCheck(target, database)

    let file = folder.file("a.ndjson")
    #expect(try Rowhouse.run("export", "--db", database, file).ending == .exit(0))
    #expect(FileManager.default.contents(atPath: file) == Data(exported.body))
    // Into a database that is not there yet.
    let other = folder.file("other.sqlite")
    let result = try Rowhouse.run("import", "--replace", "--db", other, file)
    #expect(result.ending == .exit(0))
    #expect(result.output.contains("3 photos read"))
    let again = folder.file("b.ndjson")
    #expect(try Rowhouse.run("export", "--db", other, again).ending == .exit(0))
    #expect(FileManager.default.contents(atPath: again) == Data(exported.body))
  }

  @Test(arguments: ["merge", "replace"])
  func `kill -9 amid the photos of an import leaves nothing of them`(mode: String) throws {
    let source = try RunningServer(database: folder.database)
    let globe = try seed([20 << 20, 20 << 20], source)
    let exported = try source.connect().get("/v1/export").body
    let database = try killAmidImport(of: exported, mode)
    let check = try Rowhouse.run("check", "--db", database)
    #expect(check.ending == .exit(0), "\(check.output)")
    let restarted = try RunningServer(database: database)
    let client = try restarted.connect()
    #expect(try client.titles(of: "root") == ["Kept"])
    #expect(try client.get("/v1/items/\(globe)").status == 404)
    let answer = try client.send(
      "POST", "/v1/import?mode=\(mode)", bytes: exported, type: type)
    #expect(answer.status == 200)
    #expect(try client.get("/v1/items/\(globe)/photos").number("/count") == 2)
    try stopAndCheck(restarted, database)
  }

  /// A database whose server was killed while it was at an import.
  private func killAmidImport(of exported: [UInt8], _ mode: String) throws -> String {
    for attempt in 0..<20 {
      let database = folder.file("target-\(attempt).sqlite")
      let server = try RunningServer(database: database)
      try server.connect().makeThing("Kept", in: "root")
      let statuses = try onThreads(1) { [type] _ in
        // The server goes away while it waits.
        try? server.connect().send(
          "POST", "/v1/import?mode=\(mode)", bytes: exported, type: type
        ).status
      } meanwhile: {
        _ = try poll("pieces of the photos") { try size(database) > 4 << 20 ? true : nil }
        try server.kill()
      }
      // On a busy machine it may have been over by then.
      if statuses == [nil] { return database }
    }
    throw Overdue("a kill amid an import")
  }

  /// In bytes, the log included.
  private func size(_ database: String) throws -> Int {
    try ["", "-wal"].reduce(0) { sum, suffix in
      guard FileManager.default.fileExists(atPath: database + suffix) else { return sum }
      let attributes = try FileManager.default.attributesOfItem(atPath: database + suffix)
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }

  @Test func `what is sent again with its key after a restart is answered as before`() throws {
    let source = try RunningServer(database: folder.database)
    _ = try seed([200_000], source)
    let exported = try source.connect().get("/v1/export").body
    let database = folder.file("target.sqlite")
    var server = try RunningServer(database: database)
    let item = try server.connect().makeThing("Lamp", in: "root")
    let image = SampleImage.jpeg(size: 3 << 20)
    let requests: [(target: String, bytes: [UInt8], fields: [String: String])] = [
      ("/v1/items/\(item)/photos", image, [:]), ("/v1/import", exported, ["Content-Type": type]),
      (
        "/v1/lists/root/rows.csv", Array("name\r\nVase\r\n".utf8), ["Content-Type": "text/csv"]
      ),
    ]
    var first: [Answer] = []
    for round in 0..<2 {
      let client = try server.connect()
      for (number, request) in requests.enumerated() {
        let fields = request.fields.merging(["Idempotency-Key": "key"]) { $1 }
        let answer = try client.send("POST", request.target, bytes: request.bytes, fields)
        #expect([200, 201].contains(answer.status), "\(request.target)")
        #expect(answer["idempotency-replayed"] == (round == 0 ? nil : "true"))
        if round == 0 { first.append(answer) } else { #expect(answer.body == first[number].body) }
        guard round > 0 else { continue }
        var other = request.bytes
        other[other.count - 3] ^= 1
        #expect(try client.send("POST", request.target, bytes: other, fields).status == 422)
      }
      if round == 0 {
        try server.kill()
        server = try RunningServer(database: database)
      }
    }
    let client = try server.connect()
    #expect(try client.get("/v1/items/\(item)/photos").number("/count") == 1)
    #expect(try client.get("/v1/lists/root").number("/rowCount") == 3)
    try stopAndCheck(server, database)
  }
}
