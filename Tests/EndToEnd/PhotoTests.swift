import Foundation
import JSON
import SQL
import Support
import Synchronization
import Testing

@Suite("Photos over real sockets")
struct PhotoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func add(_ image: [UInt8], to item: String, _ client: Client) throws -> String {
    let answer = try client.send("POST", "/v1/items/\(item)/photos", bytes: image)
    try #require(answer.status == 201)
    return try #require(answer.text("/id"))
  }

  private func stopAndCheck(_ server: RunningServer) throws {
    #expect(try server.stop() == .exit(0))
    let check = try Rowhouse.run("check", "--db", folder.database)
    #expect(check.ending == .exit(0), "\(check.output)")
  }

  @Test func `twenty mebibytes go up and down in four of memory`() throws {
    let server = try RunningServer(database: folder.database, ["--loops", "2"])
    let client = try server.connect()
    let item = try client.makeThing("Globe", in: "root")
    let image = SampleImage.jpeg(size: 20 << 20)
    // The first of everything takes memory that stays: buffers, statements, a connection.
    let small = try add(Array(image[..<(2 << 20)]), to: item, client)
    #expect(try client.get("/v1/items/\(item)/photos/\(small)").body.count == 2 << 20)

    let memory = ProcessMemory(server.process.pid)
    let start = try memory.resident()
    try memory.forgetPeak()
    let id = try add(image, to: item, client)
    #expect(try memory.peak() - start <= 4 << 20)

    try memory.forgetPeak()
    let before = try memory.resident()
    let answer = try client.get("/v1/items/\(item)/photos/\(id)")
    #expect(try memory.peak() - before <= 4 << 20)
    #expect(answer.status == 200)
    #expect(answer["content-length"] == "\(20 << 20)")
    #expect(answer.body == image)
    let tail = try client.get("/v1/items/\(item)/photos/\(id)", ["Range": "bytes=-70000"])
    #expect(tail.status == 206)
    #expect(tail.body == Array(image.suffix(70_000)))
  }

  @Test func `one byte more than the limit is refused, with or without Content-Length`() throws {
    let server = try RunningServer(database: folder.database, ["--photo-size", "100KiB"])
    let client = try server.connect()
    let path = "/v1/items/\(try client.makeThing("Globe", in: "root"))/photos"
    let image = SampleImage.jpeg(size: 100 << 10 + 1)
    try client.write(
      Array(
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(image.count)\r\n\r\n".utf8))
    #expect(try client.readAnswer().status == 413)
    let second = try server.connect()
    try second.write(
      Array("POST \(path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
    for start in stride(from: 0, to: image.count, by: 10_000) {
      let piece = image[start..<min(start + 10_000, image.count)]
      let size = String(piece.count, radix: 16)
      try second.write(Array("\(size)\r\n".utf8) + piece + Array("\r\n".utf8))
    }
    #expect(try second.readAnswer().status == 413)
    #expect(try server.connect().get(path).number("/count") == 0)
  }

  @Test func `an upload in chunks, with a 100 asked for, is the same photo`() throws {
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let path = "/v1/items/\(try client.makeThing("Globe", in: "root"))/photos"
    let image = SampleImage.jpeg(size: 200_003)
    let head = [
      "POST \(path) HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked",
      "Expect: 100-continue", "", "",
    ]
    try client.write(Array(head.joined(separator: "\r\n").utf8))
    for start in stride(from: 0, to: image.count, by: 33_333) {
      let piece = image[start..<min(start + 33_333, image.count)]
      let size = String(piece.count, radix: 16)
      try client.write(Array("\(size)\r\n".utf8) + piece + Array("\r\n".utf8))
    }
    try client.write(Array("0\r\n\r\n".utf8))
    let made = try client.readAnswer()
    #expect(made.status == 201)
    #expect(try client.get(try #require(made["location"])).body == image)
    #expect(try client.send("HEAD", try #require(made["location"]))["content-length"] == "200003")
  }

  @Test(arguments: [false, true])
  func `uploads that are broken off leave nothing`(isServerKilled: Bool) throws {
    var server = try RunningServer(database: folder.database)
    let item = try server.connect().makeThing("Globe", in: "root")
    let path = "/v1/items/\(item)/photos"
    let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(6 << 20)\r\n\r\n"
    let image = SampleImage.jpeg(size: 5 << 20)
    let rounds = 8
    for round in 0..<rounds {
      var upload: Client? = try server.connect()
      try upload?.write(Array(head.utf8) + image)
      _ = try poll("the pieces") {
        try photoCount() == round + 1 && room() >= 4 << 20 ? true : nil
      }
      if isServerKilled {
        try server.kill()
        server = try RunningServer(database: folder.database)
      }
      upload = nil
      let client = try server.connect()
      #expect(try client.send("POST", path, bytes: SampleImage.png()).status == 201)
      // What was broken off is cleared away once the writer has nothing else to do.
      _ = try poll("the clearing away") { try photoCount() == round + 1 ? true : nil }
    }
    #expect(try server.connect().get(path).number("/count") == rounds)
    try stopAndCheck(server)
    // What one took, the next one takes again.
    #expect(try room() < 2 * (5 << 20))
  }

  /// The photos in the database, with those being uploaded or removed.
  private func photoCount() throws -> Int {
    let db = try Connection(path: folder.database, mode: .readOnly)
    db.setBusyTimeout(milliseconds: 600_000)
    return try db.prepare("SELECT count(*) FROM photo").first { $0.int(0) } ?? 0
  }

  /// Bytes that the database takes on disk, its log included.
  private func room() throws -> Int {
    try ["", "-wal"].reduce(0) { sum, suffix in
      let path = folder.database + suffix
      guard FileManager.default.fileExists(atPath: path) else { return sum }
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  @Test func `uploads and changes run at the same time`() throws {
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let items = try (0..<4).map { try client.makeThing("Thing \($0)", in: "root") }
    let list = try client.makeList("Shelf")
    let images = (0..<4).map { SampleImage.jpeg(size: 3 << 20, seed: UInt64($0)) }
    let isOver = Atomic<Bool>(false)
    let changes = Atomic<Int>(0)
    let ids = try onThreads(5) { number -> String in
      let client = try server.connect()
      guard number < 4 else {
        repeat {
          try client.makeThing("Thing", in: list)
          changes.add(1, ordering: .relaxed)
        } while !isOver.load(ordering: .relaxed)
        return ""
      }
      defer { if number == 0 { isOver.store(true, ordering: .relaxed) } }
      var id = ""
      for _ in 0..<3 {
        let answer = try client.send(
          "POST", "/v1/items/\(items[number])/photos", bytes: images[number])
        id = answer.text("/id") ?? ""
      }
      return id
    }
    #expect(changes.load(ordering: .relaxed) > 0)
    for (number, item) in items.enumerated() {
      #expect(try client.get("/v1/items/\(item)/photos").number("/count") == 3)
      #expect(try client.get("/v1/items/\(item)/photos/\(ids[number])").body == images[number])
    }
    try stopAndCheck(server)
  }
}
