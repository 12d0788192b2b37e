import Inventory
import SQL

/// Recomputes derived numbers: the rows and totals of lists, the nodes of their trees, lists and items of inventories,
/// the size of their logs. Brings the search index up to date, and rebuilds it if it is wrong.
///
/// The counted rows do not change. Run this in a transaction of its own.
struct CountRepair {
  let db: Connection
  private(set) var mended: [String] = []

  /// Makes the repairs. Returns a sentence for each.
  mutating func mend() throws(StorageError) -> [String] {
    try ListRecord.forEachCountable(in: db) { (list) throws(StorageError) in
      try mendTree(of: list)
      try mendTotal(of: list)
    }
    try mendInventories()
    try mendSearch()
    return mended
  }

  private mutating func mendTree(of list: ListRecord) throws(StorageError) {
    let tree = list.tree
    var children: [Int64: [(id: Int64, count: Int)]] = [:]
    try db.sql("SELECT parent, id, count FROM node WHERE list = ?1").bind(list.key).each { row in
      children[row.int64(0), default: []].append((row.int64(1), row.int(2)))
    }
    let sizes = try tree.leafSizes(in: db)

    var wrong: [(id: Int64, count: Int)] = []
    func count(_ node: Int64, depth: Int) -> Int {
      guard depth < tree.height else { return sizes[node] ?? 0 }
      return (children[node] ?? []).reduce(0) { sum, child in
        let actual = count(child.id, depth: depth + 1)
        if actual != child.count { wrong.append((child.id, actual)) }
        return sum + actual
      }
    }
    let rows = count(tree.root, depth: 0)
    for (id, count) in wrong {
      try db.sql("UPDATE node SET count = ?3 WHERE list = ?1 AND id = ?2").bind(list.key).bind(id)
        .bind(count).perform()
    }
    if !wrong.isEmpty {
      mended.append("list \(list.key): \(wrong.count) nodes of its tree had a wrong count")
    }
    if rows != tree.count {
      try db.sql("UPDATE list SET row_count = ?2 WHERE key = ?1").bind(list.key).bind(rows)
        .perform()
      mended.append("list \(list.key): it has \(rows) rows, but the stored count was \(tree.count)")
    }
  }

  private mutating func mendTotal(of list: ListRecord) throws(StorageError) {
    let total = TotalCents(try list.countedTotal(in: db))
    guard total != list.total else { return }
    try db.sql("UPDATE list SET total_high = ?2, total_low = ?3 WHERE key = ?1").bind(list.key)
      .bind(total.high).bind(total.low).perform()
    mended.append(
      "list \(list.key): its total is \(total.amount) cents, but the stored total was \(list.total.amount)"
    )
  }

  private mutating func mendInventories() throws(StorageError) {
    mended += try db.sql(
      """
      UPDATE inventory SET (list_count, item_count) = (
        SELECT count(*) FILTER (WHERE kind = 0), count(*) FILTER (WHERE kind > 0)
        FROM row WHERE row.inventory = inventory.key)
      WHERE hidden = 0 AND (list_count, item_count) IS NOT (
        SELECT count(*) FILTER (WHERE kind = 0), count(*) FILTER (WHERE kind > 0)
        FROM row WHERE row.inventory = inventory.key)
      RETURNING key, list_count, item_count
      """
    ).all {
      "inventory \($0.int64(0)): the stored counts are now \($0.int(1)) lists and \($0.int(2)) items"
    }
    mended += try db.sql(
      """
      UPDATE inventory SET history_size = (SELECT coalesce(sum(size), 0) FROM change
        WHERE change.inventory = inventory.key AND change.revision > history_start)
      WHERE hidden = 0 AND history_size <> (SELECT coalesce(sum(size), 0) FROM change
        WHERE change.inventory = inventory.key AND change.revision > history_start)
      RETURNING key, history_size
      """
    ).all { "inventory \($0.int64(0)): the stored size of its log is now \($0.int(1)) bytes" }
  }

  /// https://www.sqlite.org/fts5.html#the_rebuild_command
  private mutating func mendSearch() throws(StorageError) {
    guard try SearchIndex.fault(in: db) != nil else { return }
    try db.sql("DELETE FROM search_backlog").perform()
    try db.sql("INSERT INTO search (search) VALUES ('rebuild')").perform()
    mended.append("search: the index was rebuilt")
  }
}
