import Foundation
import Support
import Testing

/// A power cut must leave no copy that has its name and not all of its bytes, nor lose one that was said to be made.
@Suite("What a copy has on the disk", .enabled(if: FaultyDisk.library != nil, "needs a C compiler"))
struct CopySyncTests {
  @Test(arguments: ["backup", "restore"])
  func `is synced before it is renamed, and the folder is synced before success is reported`(
    command: String
  ) throws {
    let (source, place) = (try TemporaryFolder(), try TemporaryFolder())
    #expect(try Rowhouse.run("seed", "--db", source.database).ending == .exit(0))
    let files =
      command == "backup"
      ? [place.database, "--db", source.database] : [source.database, "--db", place.database]
    let disk = try FaultyDisk(below: place)
    let result = try Rowhouse.run(
      Rowhouse.executable, [command] + files, environment: disk.environment(isTraced: true))
    #expect(result.ending == .exit(0), "\(result.errors)")

    let records = try DiskTrace(path: disk.tracePath).records
    let named = try #require(
      records.firstIndex { $0.kind == .created && $0.file == .database })
    let written = try #require(
      records.lastIndex {
        $0.file == .draft && ($0.kind == .written || $0.kind == .truncated)
      })
    try #require(written < named)
    #expect(records[written..<named].contains { $0.kind == .syncEnded && $0.file == .draft })
    #expect(records[named...].contains { $0.kind == .syncEnded && $0.file == .folder })
    #expect(!records.contains { $0.kind == .written && $0.file == .database })
  }
}
