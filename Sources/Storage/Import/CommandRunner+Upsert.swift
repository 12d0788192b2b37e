import Inventory
import SQL

extension CommandRunner {
  /// Creates or edits items of one list. New ones go to its end.
  func upsert(
    _ upserts: [ItemUpsert], in reference: ListReference
  ) throws(StorageError) -> Outcome {
    let list = try change.target(of: upserts, reference)
    let counts = try make(try UpsertPlan(upserts, in: list, change), in: list)
    return Outcome(receipt: try change.commit(action: "import table"), counts: counts)
  }

  /// Makes the changes of a table, without the commit.
  func make(_ plan: UpsertPlan, in list: ListRecord) throws(StorageError) -> TransferCounts {
    let id = RowID(list.id)
    var places = AppendSlots(plan.steps.lazy.filter { $0.present == nil }.map { _ in id })
    var counts = TransferCounts()
    for step in plan.steps {
      if var item = step.present {
        guard item.details != step.details, let place = item.place else { continue }
        try change.require(.edit, in: list)
        let index = try change.index(of: place, in: list.key)
        try change.replace(&item, with: step.details, at: index, of: try change.list(list.key))
        counts.updated += 1
        continue
      }
      try change.require(.add, in: list)
      var record = try change.list(list.key)
      let (place, index) = try places.next(in: id, &record, shape: change.shape, db)
      record.total += step.details.total
      let (tree, total) = (record.tree, record.total)
      try change.update(list.key) {
        $0.tree = tree
        $0.total = total
      }
      try change.insertItem(
        NewItem(id: step.id, details: step.details), list: list.key, place: place)
      change.record(.insert(RowID(step.id), at: index), on: list.key)
      change.summaryChanged(of: list.key)
      counts.created += 1
    }
    return counts
  }
}

/// The items that the lines of a table name, found before anything is changed. Up to 100 errors of the table are
/// reported together.
struct UpsertPlan {
  struct Step {
    let upsert: ItemUpsert
    let id: ItemID
    /// Nil if it is created.
    let present: ItemRecord?
    let details: ItemDetails
  }

  private(set) var steps: [Step] = []
  /// The lists in which items were looked up.
  let lists: [RowKey]
  private var conflicts: [LineConflict] = []
  private var fieldErrors: [FieldError] = []

  /// - Throws: `invalidLines`, or else `lineConflicts`.
  init(_ upserts: [ItemUpsert], in list: ListRecord, _ change: Change) throws(StorageError) {
    let year = change.currentYear
    var seen: Set<ItemID> = []
    let hasRooms = upserts.contains { !$0.rooms.isEmpty }
    lists = hasRooms ? try Self.lists(below: list, change) : [list.key]
    let references = try Self.references(in: upserts, lists, change)
    let serials = try Self.serials(in: upserts, lists, change)
    let known = Set(lists)
    for upsert in upserts {
      func note(
        _ reason: LineConflict.Reason, _ id: ItemID, _ match: LineConflict.Match = .id
      ) {
        conflicts.append(
          LineConflict(line: upsert.line, id: RowID(id), reason: reason, match: match))
      }
      let match = try Self.find(upsert, references, serials, in: known, change)
      let found = match?.item
      let id = found?.id ?? upsert.id ?? upsert.newID
      guard seen.insert(id).inserted else {
        note(.repeated, id, match?.by ?? .id)
        continue
      }
      let details: ItemDetails
      var errors: [FieldError]
      do throws(InventoryError) {
        (details, errors) = try upsert.patch.applied(to: found?.details)
      } catch { throw .refused(error) }
      errors += details.fieldErrors(currentYear: year)
      fieldErrors += errors.map { $0.on(line: upsert.line) }
      guard fieldErrors.count < Limits.reportedErrors else { break }
      if found == nil {
        if let taken = try change.access.taken(RowID(id)) {
          switch try change.access.visibility(taken.key, taken.parent) {
          case .inTrash: note(.inTrash, id)
          case .live, .purged, .outside, .arriving: note(.idTaken, id)
          }
        }
        // A table with rooms becomes a merge, which checks the kinds that each list accepts.
        if !hasRooms, !list.details.itemKind.accepts(details.kind) { note(.kindMismatch, id) }
      }
      steps.append(Step(upsert: upsert, id: id, present: found, details: details))
    }
    guard fieldErrors.isEmpty else {
      throw .refused(.invalidLines(Array(fieldErrors.prefix(Limits.reportedErrors))))
    }
    guard conflicts.isEmpty else {
      throw .refused(.lineConflicts(Array(conflicts.prefix(Limits.reportedErrors))))
    }
  }

  /// A list and all lists below it.
  private static func lists(
    below list: ListRecord, _ change: Change
  ) throws(StorageError) -> [RowKey] {
    try change.db.sql(
      sqlite: """
        WITH RECURSIVE below (key) AS (
          VALUES (?1)
          UNION
          SELECT row.key FROM below JOIN row ON row.parent = below.key WHERE row.kind = 0
          UNION
          SELECT contents FROM below JOIN row ON row.parent = below.key WHERE contents IS NOT NULL
        )
        SELECT key FROM below
        """,
      postgreSQL: """
        WITH RECURSIVE below (key) AS (
          VALUES (?1)
          UNION
          SELECT CASE row.kind WHEN 0 THEN row.key ELSE contents END
          FROM below JOIN row ON row.parent = below.key WHERE row.kind = 0 OR contents IS NOT NULL
        )
        SELECT key FROM below
        """
    ).bind(list.key).all { $0.key(0) }
  }

  /// For lines without ids: the keys of the lists' items by reference.
  private static func references(
    in upserts: [ItemUpsert], _ lists: [RowKey], _ change: Change
  ) throws(StorageError) -> [ItemReference: [RowKey]] {
    var found: [ItemReference: [RowKey]] = [:]
    for upsert in upserts where upsert.id == nil {
      if let reference = upsert.reference { found[reference] = [] }
    }
    for field in Set(found.keys.map(\.field)) {
      for list in lists {
        try change.db.sql(
          Self.reference(change.db),
          "FROM row WHERE parent = ?2 AND kind > 0 AND fields IS NOT NULL"
        ).bind(Self.path(field, change.db)).bind(list).each { row in
          guard let value = row.stringOrNil(0) else { return }
          let reference = ItemReference(field: field, value: TextRules.trimmed(value))
          found[reference]?.append(row.key(1))
        }
      }
    }
    return found
  }

  /// The keys of items in the lists that have the serial numbers in the lines. Each list is read once.
  private static func serials(
    in upserts: [ItemUpsert], _ lists: [RowKey], _ change: Change
  ) throws(StorageError) -> [[UInt8]: [RowKey]] {
    var found: [[UInt8]: [RowKey]] = [:]
    for upsert in upserts {
      if let serial = upsert.serialNumber { found[Array(serial.utf8)] = [] }
    }
    guard !found.isEmpty else { return [:] }
    for list in lists {
      try change.db.sql(
        """
        SELECT key, serial_number FROM row
        WHERE parent = ?1 AND kind > 0 AND serial_number IS NOT NULL
        """
      ).bind(list).each { found[Array($0.string(1).utf8)]?.append($0.key(0)) }
    }
    return found
  }

  /// Whether an item has a reference in the line's field that is not the line's reference.
  private static func hasOtherReference(
    _ key: RowKey, than upsert: ItemUpsert, in db: Connection
  ) throws(StorageError) -> Bool {
    guard let field = upsert.referenceField else { return false }
    let value = try db.sql(Self.reference(db), "FROM row WHERE key = ?2").bind(Self.path(field, db))
      .bind(key).one { $0.stringOrNil(0) }
    guard let value, let value else { return false }
    return ItemReference(field: field, value: TextRules.trimmed(value)) != upsert.reference
  }

  /// A row's reference at path ?1, and its key. Null for true and false, which SQL would read as 1 and 0, and for
  /// objects and arrays.
  private static func reference(_ db: Connection) -> StaticString {
    switch db.engine {
    case .sqlite:
      """
      SELECT CASE WHEN json_type(fields, ?1) IN ('text', 'integer', 'real')
        THEN json_extract(fields, ?1) END, key
      """
    case .postgreSQL:
      """
      SELECT CASE WHEN json_typeof(fields::json -> ?1) IN ('string', 'number')
        THEN fields::json ->> ?1 END, key
      """
    }
  }

  /// The path of a field, whose name has no quotes: https://www.sqlite.org/json1.html#path_arguments
  ///
  /// PostgreSQL takes the name itself.
  private static func path(_ field: String, _ db: Connection) -> String {
    db.engine == .sqlite ? "$.\"\(field)\"" : field
  }

  /// The item in the lists that has the line's id. Without an id: the only item with its reference. Otherwise the only
  /// item with its serial number, unless that item has another reference.
  private static func find(
    _ upsert: ItemUpsert, _ references: [ItemReference: [RowKey]], _ serials: [[UInt8]: [RowKey]],
    in lists: Set<RowKey>, _ change: Change
  ) throws(StorageError) -> (item: ItemRecord, by: LineConflict.Match)? {
    var key: RowKey?
    var match = LineConflict.Match.id
    if let id = upsert.id {
      let entry = try change.access.find(RowID(id))
      if let entry, !entry.isList, let parent = entry.parent, lists.contains(parent) {
        key = entry.key
      }
    } else if let reference = upsert.reference, let keys = references[reference], keys.count == 1 {
      (key, match) = (keys[0], .reference)
    } else if let serial = upsert.serialNumber, let keys = serials[Array(serial.utf8)],
      keys.count == 1, try !hasOtherReference(keys[0], than: upsert, in: change.db)
    {
      (key, match) = (keys[0], .serialNumber)
    }
    guard let key, let item = try ItemRecord.find(key: key, in: change.db) else { return nil }
    return (item, match)
  }
}
