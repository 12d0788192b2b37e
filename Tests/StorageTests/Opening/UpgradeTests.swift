import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Testing

/// `Fixtures/schema-NNNN.sqlite` is a small database as the program left it when that was the newest schema. One for a
/// new schema: `rowhouse backup` of a database with something in all that is new.
@Suite struct `A database of each schema that has been released` {
  static let versions = 1...Schema.migrator.migrations.count

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func fixture(_ version: Int) -> String {
    let digits = String(version)
    return URL(filePath: #filePath).deletingLastPathComponent().path
      + "/../Fixtures/schema-" + String(repeating: "0", count: 4 - digits.count) + digits
      + ".sqlite"
  }

  private func take(_ version: Int) throws {
    try FileManager.default.copyItem(atPath: Self.fixture(version), toPath: folder.database)
  }

  private typealias Values = [String: [[String]]]

  /// The contents of the columns in all tables whose data a migration must keep.
  private func values(of columns: [String: [String]]) throws -> Values {
    let db = try Connection(path: folder.database, mode: .readWrite)
    var values: Values = [:]
    for (table, columns) in columns {
      let quoted = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      try db.prepare("SELECT \(quoted) FROM \"\(table)\" ORDER BY 1, 2").forEach { row in
        values[table, default: []].append(columns.indices.map { row.string($0) })
      }
    }
    return values.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
  }

  private func columns() throws -> [String: [String]] {
    let db = try Connection(path: folder.database, mode: .readWrite)
    var columns: [String: [String]] = [:]
    try db.prepare(
      """
      SELECT entry.name, field.name FROM sqlite_schema AS entry, pragma_table_info(entry.name) AS field
      WHERE entry.type = 'table' AND entry.name NOT LIKE 'search%' AND entry.name NOT LIKE 'sqlite_%'
        AND entry.name <> 'migration'
      ORDER BY field.cid
      """
    ).forEach { columns[$0.string(0), default: []].append($0.string(1)) }
    return columns
  }

  @Test(arguments: versions)
  func `is at hand to be tried`(version: Int) throws {
    #expect(
      FileManager.default.fileExists(atPath: Self.fixture(version)),
      "There is no fixture of schema \(version); CONTRIBUTING.md tells how to make one.")
  }

  @Test(arguments: versions)
  func `comes up to date with all that was in it`(version: Int) throws {
    try take(version)
    let columns = try columns()
    let before = try values(of: columns)
    #expect(before["row"]?.count ?? 0 > 15)
    let applied = try Database.migrate(path: folder.database)
    #expect(applied.count == Self.versions.upperBound - version)
    #expect(try values(of: columns) == before)
    #expect(try Database.check(path: folder.database) == [])
  }

  @Test(arguments: versions)
  func `is served unchanged, and accepts new changes`(version: Int) throws {
    try take(version)
    let store = try OpenStore { [folder] in $0.path = folder.database }
    let titles = ["Wallet", "House", "Garage", "Old globe", "Kettle"]
    #expect(try store.titles() == titles)
    try store.addThing("new", to: .root, .first)
    #expect(try store.titles() == ["new"] + titles)
  }

  @Test(arguments: versions)
  func `can be backed up as it is, and brought back in the newest schema`(version: Int) throws {
    try take(version)
    let copy = folder.file("copy.sqlite")
    let columns = try columns()
    let before = try values(of: columns)
    let backup = try Database.backUp(path: folder.database, to: copy)
    #expect(try values(of: columns) == before)
    let restoration = try Database.restore(from: copy, to: folder.file("new.sqlite"))
    #expect(restoration.applied.count == Self.versions.upperBound - version)
    #expect(restoration.inventories.map(\.id) == backup.inventories.map(\.id))
    #expect(try Database.check(path: folder.file("new.sqlite")) == [])
  }

  /// Two nested lists that were purged could leave that so.
  @Test(arguments: [
    "UPDATE trash SET list = 9999 WHERE row = 23",
    """
    UPDATE trash SET list = 25 WHERE row = 23; DELETE FROM trash WHERE row = 25;
    INSERT INTO purge VALUES (25, 9999)
    """,
  ])
  func `has what was deleted from a list that is gone in its trash again`(damage: String) throws {
    try take(9)
    do { try Connection(path: folder.database, mode: .readWrite).execute(damage) }
    do {
      let store = try OpenStore { [folder] in $0.path = folder.database }
      try store.store.doChores()
      let trash = try store.read(.long) { (snapshot) throws(InventoryError) in
        try snapshot.trash(PageWindow()).elements
      }
      let lamp = try #require(trash.first { $0.title == "Lamp" })
      #expect(lamp.listID == nil)
      try store.write(.restore(lamp.id, into: .root, nil))
    }
    #expect(try Database.check(path: folder.database) == [])
  }

  @Test func `is refused by an older program, untouched and with what to do`() throws {
    try take(Self.versions.upperBound)
    let newer = Self.versions.upperBound + 1
    do {
      try Connection(path: folder.database, mode: .readWrite)
        .execute("PRAGMA user_version = \(newer)")
    }
    let before = FileManager.default.contents(atPath: folder.database)
    do throws(StoreOpeningError) {
      _ = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
      Issue.record("opened")
    } catch {
      #expect(
        error.description
          == "\(folder.database) has schema version \(newer), but this program knows only versions up to "
          + "\(Self.versions.upperBound): a newer program has used it.")
    }
    #expect(FileManager.default.contents(atPath: folder.database) == before)
  }
}
