/// Advice for the operator about a damaged or missing database. Each text ends with a command to copy.
package enum Remedy {
  static func restore(_ path: String) -> String {
    "rowhouse restore BACKUP --db \(path) --force"
  }

  package static func bringBack(_ path: String) -> String {
    "Bring back a backup: \(restore(path))"
  }

  /// The same for a file that may be a backup. It suggests no command, because the command would replace the backup.
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
      // Temporary names used by `Restorer` and `AtomicFile`.
      if other.hasPrefix(path + ".before-") {
        return "An unfinished restore has left \(other): remove that, and try again."
      }
      if other.hasSuffix(".part") { return "\(other) is left of an unfinished copy: remove that." }
    }
    return "Remove the name that is not in use, or make it a symbolic link."
  }
}
