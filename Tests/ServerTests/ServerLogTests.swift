import Foundation
import Glibc
import HTTP
import Support
import Testing

@testable import Server

@Suite struct ServerLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func records(_ ids: some Sequence<Int>) -> [AccessRecord] {
    ids.map {
      AccessRecord(
        method: .get, route: "/a", status: 200, bytes: 1, requestID: "id-\($0)", token: nil,
        traceParent: nil, peer: nil, began: 0)
    }
  }

  private func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func `what was taken before the stop is in the file, in order`() throws {
    let path = folder.file("log")
    let log = try ServerLog(.text, to: .file(path: path))
    for start in stride(from: 0, to: 5_000, by: 50) {
      var batch = records(start..<(start + 50))
      log.take(&batch)
      #expect(batch.isEmpty)
    }
    log.stop()
    let lines = try lines(path)
    #expect(lines.count == 5_000)
    #expect(lines.enumerated().allSatisfy { $1.hasSuffix(" id-\($0) - -") })
  }

  @Test func `a log that exists is appended to`() throws {
    let path = folder.file("log")
    for id in 0..<2 {
      let log = try ServerLog(.json, to: .file(path: path))
      var batch = records([id])
      log.take(&batch)
      log.stop()
    }
    #expect(try lines(path).count == 2)
  }

  @Test func `once the file was moved away, reopening makes another`() throws {
    let (path, old) = (folder.file("log"), folder.file("log.1"))
    let log = try ServerLog(.text, to: .file(path: path))
    var batch = records([1])
    log.take(&batch)
    try waitUntil { try lines(path).count == 1 }
    try FileManager.default.moveItem(atPath: path, toPath: old)
    batch = records([2])
    log.take(&batch)
    try waitUntil { try lines(old).count == 2 }
    log.reopen()
    try waitUntil { FileManager.default.fileExists(atPath: path) }
    batch = records([3])
    log.take(&batch)
    log.stop()
    #expect(try lines(old).count == 2)
    #expect(try lines(path).map { $0.suffix(8) } == ["id-3 - -"])
  }

  @Test func `a path that cannot be opened is refused`() {
    #expect(throws: ServerError.failed(call: "open", errno: ENOENT, address: nil)) {
      _ = try ServerLog(.text, to: .file(path: folder.file("nowhere/log")))
    }
  }

  @Test func `unread lines are dropped and counted, and do not delay a stop`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let log = try ServerLog(.text, to: .descriptor(ends[1]), capacity: 1_000)
    // More than a pipe holds, and then more than may wait.
    var batch = records(0..<1_000)
    log.take(&batch)
    usleep(200_000)
    for start in 1...50 {
      batch = records((start * 1_000)..<((start + 1) * 1_000))
      log.take(&batch)
    }
    batch = records(0..<1)
    log.take(&batch)
    // Now somebody reads on, and learns how much is missing.
    var (text, told) = ("", 0)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while told < 51_001 {
      var waited = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      try #require(poll(&waited, 1, 60_000) > 0, "\(told) are reported")
      let count = read(ends[0], &buffer, buffer.count)
      text += String(decoding: buffer[..<max(0, count)], as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let dropped = lines.compactMap { $0.split(separator: " dropped ").last.flatMap { Int($0) } }
      told = lines.count { $0.contains(" GET ") } + dropped.reduce(0, +)
    }
    #expect(told == 51_001)
    #expect(text.contains(" dropped "))
    batch = records(0..<1_000)
    log.take(&batch)
    batch = records(0..<1_000)
    log.take(&batch)
    log.stop()
  }

  @Test func `messages are among the requests in order of arrival`() throws {
    let path = folder.file("log")
    let log = try ServerLog(.text, to: .file(path: path))
    log.tell(.info, "begin")
    for id in 1...3 {
      var batch = records([id])
      log.take(&batch)
      log.tell(.warning, "after \(id)")
    }
    log.stop()
    let ends = try lines(path).map { $0.split(separator: " ").dropFirst(1).joined(separator: " ") }
    #expect(
      ends.map { $0.replacing("request - GET /a 200 1 0 ", with: "") } == [
        "info server begin", "info id-1 - -", "warning server after 1", "info id-2 - -",
        "warning server after 2", "info id-3 - -", "warning server after 3",
      ])
  }

  @Test(arguments: LogLevel.allCases)
  func `what matters less than the log's level is left out`(level: LogLevel) throws {
    let path = folder.file("log")
    let log = try ServerLog(.text, to: .file(path: path), level: level)
    for other in LogLevel.allCases { log.tell(other, "x") }
    log.stop()
    let written = try lines(path).compactMap { line in
      LogLevel(name: String(line.split(separator: " ")[1]))
    }
    #expect(written == LogLevel.allCases.filter { $0 >= level })
    #expect(log.tellsOfRequests == (level <= .info))
  }

  @Test func `unread messages are counted, too`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let log = try ServerLog(.text, to: .descriptor(ends[1]))
    let long = String(repeating: "x", count: 200)
    for _ in 0..<5_000 { log.tell(.info, long) }
    log.stop()
    for end in ends { close(end) }
  }

  private func waitUntil(_ condition: () throws -> Bool) throws {
    for _ in 0..<6_000 {
      if (try? condition()) == true { return }
      usleep(10_000)
    }
    throw Client.Timeout()
  }
}
