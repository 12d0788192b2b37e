import Inventory
import SQL

/// Finds items by one exact value.
struct ItemFinder {
  let db: Connection
  let access: Access

  func page(
    of lookup: ItemLookup, _ window: PageWindow
  ) throws(StorageError) -> PageOf<ItemID> {
    // A caller who sees a part of the inventory must not learn from the duration what is in the rest.
    let found =
      access.root == access.inventoryRoot
      ? try everywhere(lookup) : try below(access.root, lookup)
    var first: Int
    switch window.start {
    case .offset(let offset): first = min(offset, found.count)
    case .after(let anchor):
      guard let entry = try access.find(anchor), let place = found.firstIndex(of: entry.key)
      else { throw .refused(.anchorGone(anchor)) }
      first = place + 1
    }
    var page = PageOf<ItemID>(count: found.count, first: first, elements: [])
    for key in found.dropFirst(first).prefix(window.limit) {
      page.elements.append(ItemID(try access.id(of: key)))
    }
    return page
  }

  private func everywhere(_ lookup: ItemLookup) throws(StorageError) -> [RowKey] {
    let subtree = Subtree(below: access.inventoryRoot, in: db)
    var found: [RowKey] = []
    let rows = try bind(
      lookup,
      try db.sql("SELECT key, parent FROM row WHERE inventory = ?1 AND ", lookup.condition(db))
        .bind(access.inventory))
    try rows.eachWhile { (row) throws(StorageError) in
      try checkDeadline()
      if try subtree.contains(row.keyOrNil(1)) { found.append(row.key(0)) }
      return true
    }
    return found.sorted()
  }

  private func below(_ top: RowKey, _ lookup: ItemLookup) throws(StorageError) -> [RowKey] {
    var found: [RowKey] = []
    try db.eachParent(below: top) { (parent) throws(StorageError) in
      let rows = try bind(
        lookup,
        try db.sql("SELECT key FROM row WHERE parent = ?1 AND ", lookup.condition(db)).bind(parent))
      try rows.each { found.append($0.key(0)) }
    }
    return found.sorted()
  }

  private func bind(
    _ lookup: ItemLookup, _ statement: Statement
  ) throws(StorageError) -> Statement {
    switch lookup {
    case .serialNumber(let text), .tag(let text): statement.bind(text)
    case .field(let name, let value):
      statement.bind(name).bind(value).bind(ItemLookup.number(value))
    }
  }

  private func checkDeadline() throws(StorageError) {
    do throws(DatabaseError) { try db.checkProgress() } catch { throw .database(error) }
  }
}

extension ItemLookup {
  /// The condition on a row, with the values from ?2 on. Whole numbers are not compared as floating-point ones, because
  /// they may be ids of many digits. SQLite reads those beyond 64 bits as floating-point numbers all the same.
  fileprivate func condition(_ db: Connection) -> StaticString {
    switch self {
    case .serialNumber: "serial_number = ?2"
    case .tag: "instr('\n' || tags || '\n', '\n' || ?2 || '\n') > 0"
    case .field where db.engine == .postgreSQL:
      """
      fields IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(row.fields::json) AS field
        WHERE field.key = ?2 AND CASE json_typeof(field.value)
          WHEN 'string' THEN field.value #>> '{}' = ?3
          WHEN 'boolean' THEN field.value #>> '{}' = ?3
          WHEN 'number' THEN CASE WHEN field.value #>> '{}' || ?4 ~ '[^-0-9]'
            THEN (field.value #>> '{}')::double precision = ?4::double precision
            ELSE field.value #>> '{}' = ?4 END
          ELSE false
        END)
      """
    case .field:
      """
      fields IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(row.fields) AS field WHERE field.key = ?2 AND CASE field.type
          WHEN 'text' THEN field.value = ?3
          WHEN 'true' THEN ?3 = 'true'
          WHEN 'false' THEN ?3 = 'false'
          WHEN 'integer' THEN CASE
            WHEN typeof(field.value) = 'integer' AND ?4 NOT GLOB '*[^-0-9]*'
            THEN CAST(field.value AS TEXT) = ?4
            ELSE CAST(field.value AS REAL) = CAST(?4 AS REAL) END
          WHEN 'real' THEN field.value = CAST(?4 AS REAL)
          ELSE 0
        END)
      """
    }
  }
}

extension DatabaseSnapshot {
  func items(
    with lookup: ItemLookup, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<ItemID> {
    try reading { (access) throws(StorageError) in
      try ItemFinder(db: db, access: access).page(of: lookup, window)
    }
  }
}
