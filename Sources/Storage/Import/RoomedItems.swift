import Inventory

/// The lines of a table with rooms as the records of a merge: the list itself, rooms, and items in their lists.
struct RoomedItems {
  private(set) var records: [NumberedRecord] = []
  /// The lists in which items and rooms were looked up.
  let lists: Set<RowKey>
  /// Rooms by their titles, from the top down. `key` is nil for a room that does not exist.
  private var rooms: [[String]: (id: ListID, key: RowKey?)] = [:]
  /// The titles of rooms of which there are several.
  private var ambiguous: Set<[String]> = []
  private var conflicts: [LineConflict] = []
  private let change: Change

  /// - Throws: the table's refusals, except those for permissions and kinds of lists.
  init(
    _ upserts: [ItemUpsert], in reference: ListReference, _ change: Change
  ) throws(StorageError) {
    self.change = change
    let list = try change.target(of: upserts, reference)
    let plan = try UpsertPlan(upserts, in: list, change)
    lists = Set(plan.lists)
    add(list.id, .nothing, list.details, line: 1)
    rooms[[]] = (list.id, list.key)
    var homes: [RowKey: ListID] = [:]
    for step in plan.steps {
      var home: ListID
      if let present = step.present {
        guard let parent = try change.db.parent(of: present.key) else { continue }
        if let known = homes[parent] { home = known } else { home = try change.list(parent).id }
        homes[parent] = home
      } else {
        home = list.id
        for depth in step.upsert.rooms.indices {
          let titles = Array(step.upsert.rooms[...depth])
          guard let room = try room(titles, line: step.upsert.line) else {
            conflicts.append(
              LineConflict(line: step.upsert.line, id: RowID(step.id), reason: .ambiguousLocation))
            break
          }
          home = room
        }
      }
      let item = TransferredItem(
        id: step.id, list: home, details: step.details, createdAt: change.now,
        updatedAt: change.now)
      records.append(NumberedRecord(line: step.upsert.line, record: .item(item)))
    }
    guard conflicts.isEmpty else {
      throw .refused(.lineConflicts(Array(conflicts.prefix(Limits.reportedErrors))))
    }
  }

  /// The room with these titles. Its parent must be known. A missing room is created. Nil if there are several.
  private mutating func room(_ titles: [String], line: Int) throws(StorageError) -> ListID? {
    if let known = rooms[titles] { return known.id }
    guard !ambiguous.contains(titles) else { return nil }
    guard let above = rooms[titles.dropLast()], let title = titles.last else {
      throw .broken("a room above was not looked up")
    }
    var key: RowKey?
    if let parent = above.key {
      let keys: [RowKey] = try change.db.sql(
        """
        SELECT key FROM row WHERE parent = ?1 AND kind = 0 AND leaf IS NOT NULL AND title = ?2
        LIMIT 2
        """
      ).bind(parent).bind(title).all { $0.key(0) }
      guard keys.count < 2 else {
        ambiguous.insert(titles)
        return nil
      }
      key = keys.first
    }
    if let key {
      let record = try change.list(key)
      rooms[titles] = (record.id, key)
      add(record.id, .list(above.id), record.details, line: line)
      return record.id
    }
    let id = ListID(.version7())
    rooms[titles] = (id, nil)
    add(id, .list(above.id), ListDetails(title: title), line: line)
    return id
  }

  private mutating func add(
    _ id: ListID, _ holder: TransferredList.Holder, _ details: ListDetails, line: Int
  ) {
    let list = TransferredList(
      id: id, holder: holder, details: details, createdAt: change.now, updatedAt: change.now)
    records.append(NumberedRecord(line: line, record: .list(list)))
  }
}
