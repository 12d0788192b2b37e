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

  static func forHardLink(_ path: String, _ other: String?) -> String {
    if let other, other.hasPrefix(path + ".") {
      // The names that `Restorer` and `AtomicFile` give a file for a moment.
      if other.hasPrefix(path + ".before-") {
        return "An unfinished restore has left \(other): remove that, and try again."
      }
      if other.hasSuffix(".part") { return "\(other) is left of an unfinished copy: remove that." }
    }
    return "Remove the name that is not in use, or make it a symbolic link."
  }
}
