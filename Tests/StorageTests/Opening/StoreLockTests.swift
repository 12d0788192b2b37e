import Foundation
import Glibc
@testable import Storage
import Support
import Testing

@Suite("The lock on a database")
struct StoreLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test
  func `is free as soon as it is let go, though a process that is starting has its descriptor`()
    throws
  {
    let lock = try StoreLock(database: folder.database)
    let inherited = try #require(descriptors(of: folder.database + ".lock").first.map { dup($0) })
    defer { close(inherited) }
    #expect(throws: StoreOpeningError.self) {
      try StoreLock(database: folder.database).release()
    }
    lock.release()
    try StoreLock(database: folder.database).release()
  }

  @Test func `tells temporary databases in use from those of killed processes`() throws {
    let names = [
      "rowhouse-killed", "rowhouse-in-use", "rowhouse-new", "other", "rowhouse-home",
      "rowhouse-shared", "linked",
    ]
    let databases = names.map {
      "\(folder.path)/\($0)/" + ($0 == "rowhouse-home" ? "rowhouse.sqlite" : ":memory:")
    }
    for (name, database) in zip(names, databases) {
      #expect(mkdir("\(folder.path)/\(name)", name == "rowhouse-shared" ? 0o755 : 0o700) == 0)
      for suffix in ["", "-wal", "-shm", ".lock", ".socket"] {
        close(open(database + suffix, O_CREAT | O_WRONLY, 0o600))
      }
      guard name != "rowhouse-new" else { continue }
      // Two minutes ago.
      var times = [
        timeval(tv_sec: time(nil) - 120, tv_usec: 0), timeval(tv_sec: time(nil) - 120, tv_usec: 0),
      ]
      #expect(utimes(database + ".lock", &times) == 0)
    }
    let used = open(databases[1] + ".lock", O_RDWR)
    #expect(flock(used, LOCK_EX) == 0)
    defer { close(used) }
    #expect(symlink("linked", "\(folder.path)/rowhouse-link") == 0)
    StoreFile.removeAbandoned(in: folder.path)
    #expect(databases.map { access($0, F_OK) } == [-1, 0, 0, 0, 0, 0, 0])
    #expect(access("\(folder.path)/rowhouse-killed", F_OK) == -1)
  }

  @Test(arguments: ["", "4711\n", "\0\0\0\0\0"])
  func `takes over the file that a killed process has left`(contents: String) throws {
    let file = folder.database + ".lock"
    try contents.write(toFile: file, atomically: false, encoding: .utf8)
    let lock = try StoreLock(database: folder.database)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(getpid())\n")
    lock.release()
  }

  @Test(arguments: ["version = 4", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"], [false, true])
  func `leaves another program's file as it is`(contents: String, isLinked: Bool) throws {
    let file = folder.database + ".lock"
    let target = isLinked ? folder.file("diary.txt") : file
    try contents.write(toFile: target, atomically: false, encoding: .utf8)
    if isLinked { #expect(symlink("diary.txt", file) == 0) }
    #expect(refusal(folder.database).hasPrefix("\(file) is not a lock file of Rowhouse."))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == contents)
    #expect(access(folder.database, F_OK) == -1)
  }

  @Test func `does not follow a link to a missing file`() throws {
    #expect(symlink("diary.txt", folder.database + ".lock") == 0)
    #expect(refusal(folder.database).contains("is not a lock file of Rowhouse."))
    #expect(access(folder.file("diary.txt"), F_OK) == -1)
  }

  @Test func `is not to be had under one of several names`() throws {
    let (path, other) = (folder.database, folder.database + ".other")
    #expect(refusal(path) == "")
    #expect(link(path, other) == 0)
    for name in [path, other] {
      #expect(throws: StoreOpeningError.self) { try Database.check(path: name) }
    }
    #expect(refusal(path).contains("\(path) has another name too, \(other) (a hard link)."))
    #expect(refusal(other).contains("\(other) has another name too, \(path) (a hard link)."))
    #expect(unlink(other) == 0)
    #expect(refusal(path) == "")
  }

  @Test func `names the file that an interrupted restore has left`() throws {
    let (path, other) = (folder.database, folder.database + ".before-20260101T000000Z")
    try DatabaseStore(DatabaseStore.Configuration(path: path)).close()
    #expect(link(path, other) == 0)
    #expect(
      refusal(path).hasSuffix(
        "\(other) is left from an unfinished restore. Remove it, and try again."))
    #expect(unlink(other) == 0)
    #expect(refusal(path) == "")
  }

  /// What is said of a database that cannot be opened.
  private func refusal(_ path: String) -> String {
    do throws(StoreOpeningError) {
      try DatabaseStore(DatabaseStore.Configuration(path: path)).close()
      return ""
    } catch { return error.description }
  }

  /// Those of this process that are open on a file.
  private func descriptors(of file: String) -> [Int32] {
    (0..<Int32(4096)).filter { descriptor in
      var (here, there) = (stat(), stat())
      return fstat(descriptor, &here) == 0 && stat(file, &there) == 0 && here.st_ino == there.st_ino
        && here.st_dev == there.st_dev
    }
  }
}
