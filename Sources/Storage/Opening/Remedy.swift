/// Advice for the operator about a damaged or missing database. Each text ends with a command to copy.
package enum Remedy {
  static func restore(_ path: String) -> String {
    "rowhouse restore BACKUP --db \(path) --force"
  }

  package static func bringBack(_ path: String) -> String {
    "Restore a backup: \(restore(path))"
  }

  /// The same for a file that may be a backup. It suggests no command, because the command would replace the backup.
  package static func bringBack(orReplace path: String) -> String {
    StoreFile.isServed(path)
      ? bringBack(path)
      : "If it is a backup, use another one. If it is a server's database, restore a backup: "
        + "see rowhouse help restore."
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
