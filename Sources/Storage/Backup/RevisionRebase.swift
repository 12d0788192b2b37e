import FoundationEssentials
import Inventory
import SQL

/// Raises all revisions of a restored database, so that no client has seen one of them with other content.
///
/// All revisions of an inventory are raised by the same number, so that the log still fits and changes can be undone.
/// The log then begins above all revisions that clients know, so they must read the rows again (`resync`).
struct RevisionRebase {
  let db: Connection
  let now: Date
  /// The highest revision that clients may have seen and that is not in this database.
  var latest: Int64 = 0

  /// The columns with revisions in each table, and the condition for records of inventory ?1.
  static let places: [(table: String, columns: [String], records: String)] = [
    ("inventory", ["revision", "history_start"], "key = ?1"),
    ("row", ["revision", "placed"], "inventory = ?1"),
    ("list", ["revision"], "key IN (SELECT key FROM row WHERE inventory = ?1 AND kind = 0)"),
    ("change", ["revision"], "inventory = ?1"),
    ("operation", ["revision"], "inventory = ?1"),
    ("edit", ["revision"], "inventory = ?1"),
    ("trash", ["revision"], "inventory = ?1"),
    ("staging", ["revision"], "inventory = ?1"),
    ("arrival", ["revision"], "inventory = ?1"),
    ("photo", ["added", "removed"], "inventory = ?1"),
  ]

  /// Raises the revisions. Call this in a transaction.
  func make() throws(DatabaseError) {
    let floor = try floor()
    var inventories: [(key: Int64, lowest: Int64)] = []
    try db.prepare(
      """
      SELECT key, history_start,
        coalesce((SELECT min(coalesce(row.revision, list.revision))
          FROM row LEFT JOIN list USING (key) WHERE row.inventory = inventory.key), history_start)
      FROM inventory
      """
    ).forEach { inventories.append(($0.int64(0), min($0.int64(1), $0.int64(2)))) }
    for (key, lowest) in inventories {
      for (table, columns, records) in Self.places {
        let raised = columns.map { "\($0) = \($0) + ?2" }.joined(separator: ", ")
        // Nearly all rows change, which is faster in the table's own order.
        let order = table == "row" && db.engine == .sqlite ? " NOT INDEXED" : ""
        try db.prepare("UPDATE \(table)\(order) SET \(raised) WHERE \(records)")
          .bind(key).bind(floor - lowest).run()
      }
    }
    try raiseVersions(to: floor)
  }

  /// A revision higher than any that a client knows: the maximum of three numbers.
  ///
  /// - The time in microseconds, because no inventory gets a million changes a second.
  /// - The revision after `latest`.
  /// - The revision after the highest one in this database, plus `Revision.replacementGap`. Replacing an inventory may
  ///   raise its revision above the time. The gap covers replacements that are missing in the backup.
  private func floor() throws(DatabaseError) -> Int64 {
    let highest = try db.prepare("SELECT max(revision) FROM inventory").first { $0.int64(0) } ?? 0
    return max(
      Int64(now.timeIntervalSince1970 * 1_000_000), latest + 1,
      highest + 1 + Revision.replacementGap)
  }

  /// Raises the versions of navigators and appearances, which are not revisions.
  private func raiseVersions(to floor: Int64) throws(DatabaseError) {
    for table in ["navigator", "appearance"] {
      try db.prepare(
        """
        UPDATE \(table) SET version = CASE WHEN version < ?1 THEN ?1 ELSE version + 1 END
        """
      ).bind(floor).run()
    }
    // An appearance that is not set in the backup may have been set since, as version 1.
    let calm = Appearance.calm
    try db.prepare(
      """
      INSERT INTO appearance (inventory, version, navigation_bar, toolbar, tab_bar, button, title)
      SELECT id, ?1, ?2, ?3, ?4, ?5, ?6 FROM inventory
      WHERE hidden = 0 AND id NOT IN (SELECT inventory FROM appearance)
      """
    ).bind(floor).bind(Int64(calm.navigationBar.rgb)).bind(Int64(calm.toolbar.rgb))
      .bind(Int64(calm.tabBar.rgb)).bind(Int64(calm.button.rgb))
      .bind(Int64(calm.title.rgb)).run()
  }
}
