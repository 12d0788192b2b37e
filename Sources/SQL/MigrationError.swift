/// The reason why a database was not migrated. All cases except the last two leave the file untouched.
package enum MigrationError: Error, Sendable, Equatable {
  /// The file is not an SQLite database.
  case notADatabase(path: String)
  /// The file belongs to another application: it is not empty, and its application id is not ours.
  case foreignFile(path: String, applicationID: Int32, expected: Int32)
  /// The schema of the server's database has tables that are not Rowhouse's.
  case foreignTables(path: String)
  /// A later version of the program has migrated the file.
  case newerSchema(path: String, version: Int, known: Int)
  /// The migration applied to the file differs from the one this program has under that number.
  case changedMigration(number: Int, name: String, recorded: String, present: String)
  /// The file's version is past this migration, but the file has no record of it.
  case unrecordedMigration(number: Int, name: String)
  /// The program's own migrations are not numbered 1, 2, 3, …
  case misnumbered(number: Int, expected: Int)
  /// The migration failed and was rolled back; earlier ones remain applied.
  case failed(number: Int, name: String, DatabaseError)
  case database(DatabaseError)
}

extension MigrationError: DatabaseErrorWrapping {
  package init(database error: DatabaseError) { self = .database(error) }
}

extension MigrationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notADatabase(let path):
      "\(path) is not an SQLite database."
    case .foreignFile(let path, let found, let expected):
      "\(path) belongs to another application: its application_id is \(found), not \(expected)."
    case .foreignTables(let path):
      "\(path) has tables of another application. Name an empty database or schema."
    case .newerSchema(let path, let version, let known):
      "\(path) has schema version \(version), but this program knows only versions up to \(known): "
        + "a newer program has used it."
    case .changedMigration(let number, let name, let recorded, let present):
      "Migration \(number) (\(name)) differs from the one that made the database: "
        + "its checksum is \(present), but the database has \(recorded)."
    case .unrecordedMigration(let number, let name):
      "The database has a schema version after migration \(number) (\(name)), but no record of this migration."
    case .misnumbered(let number, let expected):
      "Migration \(number) is in the place of migration \(expected)."
    case .failed(let number, let name, let error):
      "Migration \(number) (\(name)) failed and was rolled back: \(error.message) "
        + "(\(error.engineCode))."
    case .database(let error):
      error.description
    }
  }
}
