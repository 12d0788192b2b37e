/// What its operator can do about a database that is damaged or gone, in sentences that end with a command
/// to be copied.
package enum Remedy {
  static func restore(_ path: String) -> String {
    "rowhouse restore BACKUP --db \(path) --force"
  }

  package static func bringBack(_ path: String) -> String {
    "Bring back a backup: \(restore(path))"
  }

  package static func forDamage(_ path: String) -> String {
    "rowhouse check --db \(path) tells more. \(bringBack(path))"
  }
}
