import Inventory
import SQL

/// Checks a whole database for violations of the store's invariants.
///
/// Memory use depends on the number of lists and tree nodes, not of rows.
final class InvariantCheck {
  let db: Connection
  private let shape: TreeShape
  private let progress: (_ done: Int, _ all: Int) -> Void
  private var found: [String] = []

  private static let maximumFindings = 100

  /// - Parameter progress: called with the number of rows checked so far, and of all rows.
  init(
    db: Connection, shape: TreeShape, progress: @escaping (_ done: Int, _ all: Int) -> Void
  ) {
    self.db = db
    self.shape = shape
    self.progress = progress
  }

  /// Returns a sentence for each violation, at most a hundred.
  ///
  /// Reads one state of the database, so the writer may commit meanwhile. The search index is compared afterwards, in a
  /// transaction of its own. That needs the write lock, which SQLite refuses to a read transaction once another
  /// connection has committed (https://www.sqlite.org/rescode.html#busy_snapshot).
  func findings() throws(StorageError) -> [String] {
    found = []
    try db.transaction(.deferred) { () throws(StorageError) in
      try checkFile()
      try checkRevisions()
      try checkCounts()
      try checkPlaces()
      try checkHomes()
      try checkContainment()
      try checkLists()
      try checkPhotos()
      try checkRenditions()
      try checkNavigators()
      try checkLog()
      try checkValues()
    }
    try checkSearch()
    return found
  }

  /// Returns findings about the schema and the depth of lists. They can keep a server from starting, but do not prevent
  /// a backup.
  func furtherFindings() throws(StorageError) -> [String] {
    found = []
    try checkSchema()
    try checkDepth()
    return found
  }

  /// Returns the violations in the file itself, whatever its schema.
  func fileFindings() throws(StorageError) -> [String] {
    found = []
    try checkFile()
    return found
  }

  func report(_ finding: String) {
    if found.count < Self.maximumFindings { found.append(finding) }
  }

  /// Reports a sentence for each row of a query; none for nil.
  func report(_ query: Statement, _ sentence: (Statement) -> String?) throws(StorageError) {
    try query.each { row in if let finding = sentence(row) { report(finding) } }
  }

  func report(_ query: StaticString, _ sentence: (Statement) -> String?) throws(StorageError) {
    try report(db.sql(query), sentence)
  }

  private func checkFile() throws(StorageError) {
    // quick_check does not compare indices with their tables, and an index that lacks a row hides the row:
    // https://www.sqlite.org/pragma.html#pragma_quick_check
    try report("PRAGMA integrity_check") { $0.string(0) == "ok" ? nil : "file: \($0.string(0))" }
    try report("PRAGMA foreign_key_check") {
      "\($0.string(0)) \($0.int64(1)) refers to a missing \($0.string(2))"
    }
  }

  private func checkSearch() throws(StorageError) {
    try db.sql("PRAGMA query_only = OFF").perform()
    defer { try? db.execute("PRAGMA query_only = ON") }
    db.setBusyTimeout(milliseconds: 10_000)
    defer { db.setBusyTimeout(milliseconds: 0) }
    do throws(DatabaseError) { try db.begin(.immediate) } catch { throw .database(error) }
    // The check changes nothing: the index is brought up to date only for the comparison.
    defer { db.rollback() }
    if let fault = try SearchIndex.fault(in: db) { report(fault) }
  }

  private func checkRevisions() throws(StorageError) {
    try report(
      """
      SELECT key, revision, history_start,
        (SELECT count(*) FROM change WHERE inventory = key AND revision > history_start) AS changes
      FROM inventory WHERE hidden = 0 AND (changes IS NOT revision - history_start
        OR (SELECT max(revision) FROM change WHERE inventory = key) > inventory.revision)
      """
    ) {
      "inventory \($0.int64(0)): \($0.int64(3)) changes are logged for revisions "
        + "\($0.int64(2) + 1) to \($0.int64(1))"
    }
    try report(
      """
      SELECT row.key, max(coalesce(row.revision, 0), coalesce(list.revision, 0)) AS latest,
        inventory.revision
      FROM inventory JOIN row ON row.inventory = inventory.key
      LEFT JOIN list ON list.key = row.key
      WHERE latest > inventory.revision
      """
    ) { "row \($0.int64(0)): its revision \($0.int64(1)) is higher than its inventory's" }
    try report(
      """
      SELECT list.key, list.revision, max(step.revision) AS last
      FROM operation AS step JOIN list ON list.key = step.list
      JOIN inventory ON inventory.key = step.inventory
      WHERE hidden = 0 AND step.revision > history_start
      GROUP BY list.key HAVING list.revision < last
      """
    ) {
      "list \($0.int64(0)): its revision is \($0.int64(1)), "
        + "but its last logged step has \($0.int64(2))"
    }
    // A row with the id of an earlier one is newer than that one's edits, or came with an import.
    try report(
      """
      SELECT row.key, row.revision, max(edit.revision) AS last
      FROM edit JOIN inventory ON inventory.key = edit.inventory
      JOIN change USING (inventory, revision)
      JOIN row ON row.inventory = edit.inventory AND row.id = edit.row AND row.key <= change.newest
      LEFT JOIN list ON list.key = row.parent
      WHERE hidden = 0 AND edit.revision > history_start AND kind > 0 AND list.arrival IS NULL
      GROUP BY row.key HAVING row.revision < last
      """
    ) {
      "item \($0.int64(0)): its revision is \($0.int64(1)), "
        + "but its last logged edit has \($0.int64(2))"
    }
    try report(
      """
      SELECT key, history_size, (SELECT coalesce(sum(size), 0) FROM change
        WHERE change.inventory = inventory.key AND change.revision > history_start) AS sum
      FROM inventory WHERE hidden = 0 AND history_size <> sum
      """
    ) {
      "inventory \($0.int64(0)): the stored size of its log is \($0.int64(1)) bytes, "
        + "but its changes have \($0.int64(2))"
    }
  }

  private func checkCounts() throws(StorageError) {
    try report(
      """
      SELECT inventory.key, list_count, item_count, total(kind = 0) AS lists, total(kind > 0) AS items
      FROM inventory LEFT JOIN row ON row.inventory = inventory.key
      WHERE hidden = 0 GROUP BY inventory.key HAVING (list_count, item_count) IS NOT (lists, items)
      """
    ) {
      "inventory \($0.int64(0)): the stored counts are \($0.int64(1)) lists and \($0.int64(2)) items, "
        + "but there are \($0.int64(3)) and \($0.int64(4))"
    }
    try report(
      """
      SELECT key FROM inventory WHERE hidden = 0 AND NOT EXISTS (
        SELECT 1 FROM row WHERE row.inventory = inventory.key AND row.key = root)
      """
    ) { "inventory \($0.int64(0)): it has no root list" }
    try report(
      "SELECT min(key) FROM inventory HAVING count(*) > 0 AND min(hidden) > 0"
    ) { "inventory \($0.int64(0)): all inventories are hidden" }
  }

  /// Checks that every row is exactly one of these: a root, a row of a list, an item's contents, in the trash, or
  /// purged. Skips the tops of staged trees.
  private func checkPlaces() throws(StorageError) {
    try report(
      """
      SELECT row.key FROM row
      JOIN inventory ON inventory.key = row.inventory
      LEFT JOIN row AS above ON above.key = row.parent
      LEFT JOIN trash ON trash.row = row.key
      LEFT JOIN purge ON purge.row = row.key
      WHERE row.key NOT IN (SELECT top FROM staging) AND CASE
        WHEN trash.row IS NOT NULL OR purge.row IS NOT NULL
          THEN row.parent IS NULL AND row.leaf IS NULL AND trash.row + purge.row IS NULL
        WHEN row.parent IS NULL THEN row.key = inventory.root
        WHEN row.leaf IS NULL THEN row.kind = 0 AND above.contents = row.key
        ELSE above.kind = 0 AND row.inventory = above.inventory
      -- Catches NULL too: a column may have lost its value.
      END IS NOT TRUE
      """
    ) { "row \($0.int64(0)): it is not in a list, not in the trash, and not purged" }
    try report(
      "SELECT key FROM row WHERE (kind = 0) <> EXISTS (SELECT 1 FROM list WHERE list.key = row.key)"
    ) { "row \($0.int64(0)): it is a list without a list record, or the reverse" }
    try report(
      """
      SELECT row.key FROM row LEFT JOIN row AS nested ON nested.key = row.contents
      WHERE row.contents IS NOT NULL AND nested.parent IS NOT row.key
        AND row.key NOT IN (SELECT row FROM purge)
      """
    ) { "item \($0.int64(0)): its contents list is not below it" }
  }

  /// Checks that no list is inside itself. Each walk upward marks its lists, so that no list is visited twice.
  private func checkContainment() throws(StorageError) {
    var above: [Int64: Int64] = [:]
    try db.sql(
      """
      SELECT row.key, CASE WHEN row.leaf IS NULL THEN holder.parent ELSE row.parent END
      FROM row LEFT JOIN row AS holder ON holder.key = row.parent
      WHERE row.kind = 0
      """
    ).each { row in if let parent = row.int64OrNil(1) { above[row.int64(0)] = parent } }
    var isSound: Set<Int64> = []
    // Sorted, so that each run reports the same list of a cycle.
    for start in above.keys.sorted() {
      var walk: Set<Int64> = []
      var key = start
      while !isSound.contains(key) {
        guard walk.insert(key).inserted else {
          report("list \(key): it is inside itself")
          break
        }
        guard let parent = above[key] else { break }
        key = parent
      }
      isSound.formUnion(walk)
    }
  }

  private func checkLists() throws(StorageError) {
    let all =
      try db.sql("SELECT count(*) FROM row WHERE leaf IS NOT NULL").one { $0.int(0) } ?? 0
    var done = 0
    try ListRecord.forEachCountable(in: db) { (list) throws(StorageError) in
      try checkTree(of: list)
      try checkArrangement(of: list)
      let total = try list.countedTotal(in: db) { looked in
        if looked % 10_000 == 0 { progress(done + looked, all) }
      }
      if total != list.total.amount {
        report(
          "list \(list.key): its stored total is "
            + "\(list.total.amount) cents, but its items have \(total)")
      }
      done += list.tree.count
      progress(done, all)
    }
  }

  /// Checks the tree's counts, node sizes and depth.
  private func checkTree(of list: ListRecord) throws(StorageError) {
    let tree = list.tree
    var children: [Int64: [(id: Int64, count: Int)]] = [:]
    var nodes = 0
    // Leaves out the nodes of new orders that are being written, and of replaced ones.
    try db.sql(
      """
      SELECT parent, id, count FROM node WHERE list = ?1 AND NOT EXISTS (
        SELECT 1 FROM arrangement WHERE arrangement.list = ?1 AND CASE
          WHEN arrangement.key IS ?2 THEN state = 1 AND id < first_node
          ELSE id >= first_node AND id < end_node
        END)
      """
    ).bind(list.key).bind(tree.arrangement).each { row in
      children[row.int64(0), default: []].append((row.int64(1), row.int(2)))
      nodes += 1
    }
    var sizes = try tree.leafSizes(in: db)

    func fault(_ what: String) { report("list \(list.key): \(what)") }
    var pending = [(id: tree.root, count: tree.count, depth: 0)]
    var seen = 0
    while let node = pending.popLast(), seen <= nodes {
      seen += 1
      if node.id >= tree.nextNode {
        fault("the id of node \(node.id) is higher than the last assigned id")
      }
      if node.depth == tree.height {
        let size = sizes.removeValue(forKey: node.id) ?? 0
        if size != node.count {
          fault("the stored count of leaf \(node.id) is \(node.count), but it has \(size) rows")
        }
        if size > shape.fanOut { fault("leaf \(node.id) has too many rows: \(size)") }
        if size == 0, node.depth > 0 { fault("leaf \(node.id) is empty") }
      } else {
        let below = children[node.id] ?? []
        let sum = below.reduce(0) { $0 + $1.count }
        if sum != node.count {
          fault("the stored count of node \(node.id) is \(node.count), but it has \(sum) rows")
        }
        if below.isEmpty { fault("node \(node.id) is empty") }
        if below.count > shape.fanOut {
          fault("node \(node.id) has too many children: \(below.count)")
        }
        pending += below.map { ($0.id, $0.count, node.depth + 1) }
      }
    }
    if seen != nodes + 1 { fault("\(nodes + 1 - seen) of its nodes have no parent") }
    if !sizes.isEmpty { fault("rows are in leaves that do not exist: \(sizes.keys.sorted())") }
  }
}

extension ListRecord {
  /// Calls the body with each list whose rows can be counted. Lists that are being purged may be incomplete.
  static func forEachCountable(
    in db: Connection, _ body: (ListRecord) throws(StorageError) -> Void
  ) throws(StorageError) {
    let keys = try db.sql("SELECT key FROM list WHERE key NOT IN (SELECT row FROM purge)")
      .all { $0.key(0) as RowKey }
    for key in keys { if let list = try find(key: key, in: db) { try body(list) } }
  }

  /// The total of the list's items in cents, from the items themselves.
  ///
  /// - Parameter progress: called with the number of items read so far.
  func countedTotal(
    in db: Connection, _ progress: (Int) -> Void = { _ in }
  ) throws(StorageError) -> Int128 {
    var total = Int128(0)
    var looked = 0
    try db.sql("SELECT value, quantity FROM row WHERE parent = ?1 AND kind > 0").bind(key).each {
      total += Int128($0.int64(0)) * Int128($0.int64(1))
      looked += 1
      progress(looked)
    }
    return total
  }
}
