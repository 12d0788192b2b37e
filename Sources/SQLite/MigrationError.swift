/// Why a database was not brought up to date; the refusals, all but the last two,
/// leave the file untouched.
package enum MigrationError: Error, Sendable, Equatable {
  /// The file is no SQLite database.
  case notADatabase(path: String)
  /// The file is another application's: it is not empty, and its application id is not ours.
  case foreignFile(path: String, applicationID: Int32, expected: Int32)
  /// A later version of the program has been at the file.
  case newerSchema(path: String, version: Int, known: Int)
  /// What the file was made with is not what the program now has under that number.
  case changedMigration(number: Int, name: String, recorded: String, present: String)
  /// The file says that it is past this migration, and has no record of it.
  case unrecordedMigration(number: Int, name: String)
  /// The program's own migrations are not numbered 1, 2, 3, …
  case misnumbered(number: Int, expected: Int)
  /// It was rolled back; those before it stay.
  case failed(number: Int, name: String, SQLiteError)
  case sqlite(SQLiteError)
}

extension MigrationError: SQLiteErrorWrapping {
  package init(sqlite error: SQLiteError) { self = .sqlite(error) }
}

extension MigrationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notADatabase(let path):
      "\(path) is not an SQLite database."
    case .foreignFile(let path, let found, let expected):
      "\(path) belongs to another application: its application_id is \(found), not \(expected)."
    case .newerSchema(let path, let version, let known):
      "\(path) has schema version \(version), but this program knows only versions up to \(known): "
        + "a newer program has used it."
    case .changedMigration(let number, let name, let recorded, let present):
      "Migration \(number) (\(name)) differs from the one that made the database: "
        + "its checksum is \(present), but the database has \(recorded)."
    case .unrecordedMigration(let number, let name):
      "The database claims to be past migration \(number) (\(name)) but has no record of it."
    case .misnumbered(let number, let expected):
      "Migration \(number) is in the place of migration \(expected)."
    case .failed(let number, let name, let error):
      "Migration \(number) (\(name)) failed and was rolled back: \(error)"
    case .sqlite(let error):
      error.description
    }
  }
}
