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
    try SQLiteStore(SQLiteStore.Configuration(path: path)).close()
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
      try SQLiteStore(SQLiteStore.Configuration(path: path)).close()
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
