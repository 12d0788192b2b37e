/// What its operator can do about a database that is damaged or gone, in sentences that end with a command
/// to be copied.
package enum Remedy {
  static func restore(_ path: String) -> String {
    "rowhouse restore BACKUP --db \(path) --force"
  }

  package static func bringBack(_ path: String) -> String {
    "Bring back a backup: \(restore(path))"
  }

  /// The same for a file that may be a backup: no command then, since it would replace the backup.
  package static func bringBack(orReplace path: String) -> String {
    StoreFile.isServed(path)
      ? bringBack(path)
      : "If it is a backup, use another one. If it is a server's database, bring back a backup: "
        + "see rowhouse help restore."
  }

  package static func forDamage(_ path: String) -> String {
    "rowhouse check --db \(path) tells more. \(bringBack(path))"
  }
}
