import Foundation
import SQL
import Support
import Testing

@testable import Storage

@Suite struct `The checkpoints of the writer` {
  private let folder: TemporaryFolder
  private let db: Connection

  init() throws {
    folder = try TemporaryFolder()
    try DatabaseStore(DatabaseStore.Configuration(path: folder.database)).close()
    let file = try StoreFile(existing: folder.database)
    db = try file.openWriter()
    try file.prepareWriter(db, sizeLimit: nil)
    try db.execute("CREATE TABLE pages (bytes BLOB)")
  }

  private func write(pages: Int) throws {
    try db.begin(.immediate)
    try db.statement("INSERT INTO pages VALUES (zeroblob(?1))").bind(4_000 * pages).run()
    try db.commit()
  }

  private func reader() throws -> Connection {
    let reader = try StoreFile(existing: folder.database).openReader()
    try reader.begin(.deferred)
    _ = try reader.statement("SELECT count(*) FROM pages").first { $0.int(0) }
    return reader
  }

  /// When the database's file was last written.
  private func written() throws -> Date {
    let facts = try FileManager.default.attributesOfItem(atPath: folder.database)
    return try #require(facts[.modificationDate] as? Date)
  }

  @Test func `copy a WAL that readers keep from its reset only after many new pages`() throws {
    let checkpoints = Checkpoints(db, longReads: [], cut: 100_000) { _ in }
    func makesOne(after pages: Int) throws -> Bool {
      try write(pages: pages)
      let before = try written()
      try checkpoints.makeIfDue()
      return try written() > before
    }
    #expect(try !makesOne(after: 500))
    // There is always a reader of a state that is not the last one.
    var held = try reader()
    #expect(try makesOne(after: 600))
    for _ in 0..<5 {
      let next = try reader()
      held.rollback()
      held = next
      #expect(try !makesOne(after: 100))
    }
    let next = try reader()
    held.rollback()
    held = next
    #expect(try makesOne(after: 600))
    held.rollback()
  }
}
