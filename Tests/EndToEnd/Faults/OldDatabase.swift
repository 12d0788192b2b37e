import Foundation
import SQL
import Support
import Testing

/// A database with something in it, as an older program has left it: one of the fixtures of `StorageTests`.
struct OldDatabase: Sendable, CustomTestStringConvertible {
  enum Manner: Sendable, CaseIterable {
    /// One file, as a backup is.
    case whole
    /// Killed, with its last change in the write-ahead log alone.
    case killed
  }

  let schema: Int
  let manner: Manner
  let files: [DiskTrace.File: [UInt8]]

  var testDescription: String { "schema \(schema), \(manner)" }

  init(schema: Int, _ manner: Manner) throws {
    self.schema = schema
    self.manner = manner
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Self.fixtures + "/" + Self.name(schema), toPath: folder.database)
    if manner == .killed {
      let db = try Connection(path: folder.database, mode: .readWrite)
      try db.configure(.noCheckpointOnClose, true)
      try db.execute(
        "PRAGMA journal_mode = WAL; UPDATE inventory SET created_at = created_at - 1")
    }
    var files: [DiskTrace.File: [UInt8]] = [:]
    for file in [DiskTrace.File.database, .wal] {
      guard let bytes = FileManager.default.contents(atPath: folder.database + file.suffix) else {
        continue
      }
      files[file] = [UInt8](bytes)
    }
    try #require(files.count == (manner == .killed ? 2 : 1))
    self.files = files
  }

  /// In each schema that is not the newest, and in each manner.
  static func all() throws -> [OldDatabase] {
    let count = try FileManager.default.contentsOfDirectory(atPath: fixtures).count
    try #require(count > 8)
    return try (1..<count).flatMap { schema in
      try Manner.allCases.map { try OldDatabase(schema: schema, $0) }
    }
  }

  private static let fixtures = Rowhouse.sourceFolder + "/Tests/StorageTests/Fixtures"

  private static func name(_ schema: Int) -> String {
    let digits = String(schema)
    return "schema-" + String(repeating: "0", count: 4 - digits.count) + digits + ".sqlite"
  }

  /// Puts it, or what became of it, into a folder.
  static func put(_ files: [DiskTrace.File: [UInt8]], into folder: TemporaryFolder) throws {
    for (file, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.database + file.suffix))
    }
  }
}

/// The contents of a database's tables and their definitions, without the times of its migrations.
struct DatabaseContents: Equatable {
  private let tables: [String: [String]]

  /// - Parameter path: a database that no process has open.
  init(at path: String) throws {
    let db = try Connection(path: path, mode: .readWrite)
    var columns = ["sqlite_schema": ["type", "name", "tbl_name", "sql"]]
    // The data of the search's virtual table is in other tables.
    try db.prepare(
      """
      SELECT entry.name, field.name FROM sqlite_schema AS entry, pragma_table_info(entry.name) AS field
      WHERE entry.type = 'table' AND entry.sql NOT LIKE 'CREATE VIRTUAL%'
        AND field.name <> 'applied_at'
      """
    ).forEach { columns[$0.string(0), default: []].append($0.string(1)) }
    var tables: [String: [String]] = [:]
    for (table, columns) in columns {
      let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      var rows: [String] = []
      try db.prepare("SELECT \(values) FROM \"\(table)\"").forEach { rows.append($0.string(0)) }
      tables[table] = rows.sorted()
    }
    self.tables = tables
  }

  /// The names of the tables that are not as others' are.
  func difference(to other: DatabaseContents) -> [String] {
    Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
  }

  /// How many rows a table has.
  func count(of table: String) -> Int { tables[table]?.count ?? 0 }
}
