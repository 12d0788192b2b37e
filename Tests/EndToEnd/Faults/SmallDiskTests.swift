import Foundation
import Support
import Synchronization
import Testing

/// A file system in memory, of a size; making one takes root.
private final class SmallDisk {
  let path: String

  /// Nil where this process may not make one.
  init?(size: String, in folder: TemporaryFolder) throws {
    path = folder.file("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let mount = try Rowhouse.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "none", path])
    guard mount.ending == .exit(0) else { return nil }
  }

  deinit { _ = try? Rowhouse.run("/bin/umount", ["--lazy", path]) }

  var database: String { path + "/rowhouse.sqlite" }

  /// Fills the disk up to this many free bytes.
  func fill(leaving bytes: Int) throws {
    let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemFault("ballast") }
    defer { close(file) }
    let block = [UInt8](repeating: 1, count: 4_096)
    var size = 0
    while write(file, block, block.count) == block.count { size += block.count }
    guard ftruncate(file, off_t(max(0, size - bytes))) == 0 else { throw SystemFault("ballast") }
  }

  func clear() { unlink(path + "/ballast") }
}

@Suite(
  "When a disk is full",
  .enabled(if: FaultyDisk.isThorough && getuid() == 0, "needs root, in a thorough run"))
struct SmallDiskTests {
  /// What one client wrote: names that were answered, and how often there was no room.
  private struct Log: Sendable {
    var added: [String] = []
    var refusals = 0
    var others: [Int] = []
  }

  private static func write(
    _ count: Int, _ label: String, to list: String, over server: RunningServer
  ) throws -> Log {
    let client = try server.connect()
    var log = Log()
    for number in 0..<count {
      // Large and small ones, so that what fails takes others of its group with it.
      let notes = String(repeating: "-", count: number % 3 == 0 ? 30_000 : 10)
      let name = "\(label) \(number)"
      let answer = try client.send(
        "POST", "/v1/lists/\(list)/items", ["name": .string(name), "notes": .string(notes)])
      switch answer.status {
      case 201: log.added.append(name)
      case 507: log.refusals += 1
      default: log.others.append(answer.status)
      }
    }
    return log
  }

  @Test
  func `groups are refused in part, reads continue, and writes work again once there is room`()
    throws
  {
    let folder = try TemporaryFolder()
    guard let disk = try SmallDisk(size: "8m", in: folder) else {
      print("No file system can be mounted here: NOTHING IS TESTED of a disk that is really full.")
      return
    }
    let server = try RunningServer(database: disk.database, ["--log-format", "none"])
    let client = try server.connect()
    let lists = try (0..<4).map { try client.makeList("Shelf \($0)") }
    var names: [[String]] = Array(repeating: [], count: lists.count)
    var refusals = 0
    for round in 0..<5 {
      try disk.fill(leaving: 400_000)
      let full = try onThreads(lists.count) { number in
        try Self.write(30, "full \(round)", to: lists[number], over: server)
      }
      // Reads go on.
      for (number, list) in lists.enumerated() {
        names[number] += full[number].added
        #expect(try client.titles(of: list) == names[number])
        #expect(full[number].others.isEmpty)
        refusals += full[number].refusals
      }
      #expect(full.contains { $0.refusals > 0 })
      disk.clear()
      let roomy = try onThreads(lists.count) { number in
        try Self.write(2, "room \(round)", to: lists[number], over: server)
      }
      for number in lists.indices {
        names[number] += roomy[number].added
        #expect(roomy[number].added.count == 2)
      }
    }
    #expect(try server.stop() == .exit(0))
    let check = try Rowhouse.run("check", "--db", disk.database)
    #expect(check.ending == .exit(0), "\(check.output)")
    let again = try RunningServer(database: disk.database, ["--log-format", "none"])
    let reader = try again.connect()
    for (list, names) in zip(lists, names) { #expect(try reader.titles(of: list) == names) }
    print("a full disk: \(refusals) writes refused, all that were answered are there")
  }
}
