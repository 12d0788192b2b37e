/// Advice for the operator about a database that is damaged, missing, or has two names.
package enum Remedy {
  static func restore(_ path: String) -> String {
    "rowhouse restore BACKUP --db \(path) --force"
  }

  package static func bringBack(_ path: String) -> String {
    "Restore a backup: \(restore(path))"
  }

  /// Advice for a damaged file. If it may be a backup, the text has no command, because the command would replace it.
  package static func bringBack(orReplace path: String) -> String {
    StoreFile.isServed(path)
      ? bringBack(path)
      : "If it is a backup, use another one. If it is a server's database, restore a backup: "
        + "see rowhouse help restore."
  }

  /// For a backup that has been opened as a database.
  package static func forBackup(_ path: String) -> String {
    "\(path) was a backup. It is a database from now on, which rowhouse backup does not replace. "
      + "To keep a backup, use a copy of it: rowhouse restore BACKUP --db PATH"
  }

  /// For an operation that cannot work with a server's database.
  static var forServer: String {
    #if PostgreSQL
      "This works only with a database file. Back a server's database up with pg_dump, or copy it to "
        + "a file with: rowhouse copy"
    #else
      "This build has no PostgreSQL. Build it with: swift build -c release --traits PostgreSQL"
    #endif
  }

  package static func forDamage(_ path: String) -> String {
    "rowhouse check --db \(path) shows all findings. \(bringBack(path))"
  }

  static func forHardLink(_ path: String, _ other: String?) -> String {
    if let other, other.hasPrefix(path + ".") {
      // Temporary names used by `Restorer` and `AtomicFile`.
      if other.hasPrefix(path + ".before-") {
        return "\(other) is left from an unfinished restore. Remove it, and try again."
      }
      if other.hasSuffix(".part") { return "\(other) is left from an unfinished copy. Remove it." }
    }
    return "Remove one of the two names, or replace it by a symbolic link."
  }
}
