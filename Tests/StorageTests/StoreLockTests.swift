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

  /// Those of this process that are open on a file.
  private func descriptors(of file: String) -> [Int32] {
    (0..<Int32(4096)).filter { descriptor in
      var (here, there) = (stat(), stat())
      return fstat(descriptor, &here) == 0 && stat(file, &there) == 0 && here.st_ino == there.st_ino
        && here.st_dev == there.st_dev
    }
  }
}
