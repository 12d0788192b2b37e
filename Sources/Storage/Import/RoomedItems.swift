import Inventory

/// The lines of a table with rooms as the records of a merge: the list itself, rooms, and items in their lists.
struct RoomedItems {
  private(set) var records: [NumberedRecord] = []
  /// The lists in which items and rooms were looked up.
  let lists: Set<RowKey>
  /// The rooms looked up so far. Nil: there are several with this title.
  private var rooms: [Title: Room?] = [:]
  private var conflicts: [LineConflict] = []
  private let change: Change

  /// A room's title, and the list that contains the room.
  private struct Title: Hashable {
    let list: ListID
    @ByteExact var title: String
  }

  private struct Room {
    let id: ListID
    /// Nil for a room that does not exist.
    let key: RowKey?
  }

  /// - Throws: the table's refusals, except those for permissions and kinds of lists.
  init(
    _ upserts: [ItemUpsert], in reference: ListReference, _ change: Change
  ) throws(StorageError) {
    self.change = change
    let list = try change.target(of: upserts, reference)
    let plan = try UpsertPlan(upserts, in: list, change)
    lists = Set(plan.lists)
    add(list.id, .nothing, list.details, line: 1)
    var homes: [RowKey: ListID] = [:]
    for step in plan.steps {
      var home: ListID
      if let present = step.present {
        guard let parent = try change.db.parent(of: present.key) else { continue }
        if let known = homes[parent] { home = known } else { home = try change.list(parent).id }
        homes[parent] = home
      } else if step.upsert.rooms.count > Limits.roomsInOneCell {
        conflicts.append(
          LineConflict(line: step.upsert.line, id: RowID(step.id), reason: .tooDeep))
        continue
      } else {
        var room = Room(id: list.id, key: list.key)
        for title in step.upsert.rooms {
          guard let next = try self.room(title, in: room, line: step.upsert.line) else {
            conflicts.append(
              LineConflict(line: step.upsert.line, id: RowID(step.id), reason: .ambiguousLocation))
            break
          }
          room = next
        }
        home = room.id
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

  /// The room with a title. A missing room is created. Nil if there are several.
  private mutating func room(
    _ title: String, in above: Room, line: Int
  ) throws(StorageError) -> Room? {
    let name = Title(list: above.id, title: title)
    if let known = rooms[name] { return known }
    var keys: [RowKey] = []
    if let parent = above.key {
      keys = try change.db.sql(
        """
        SELECT key FROM row WHERE parent = ?1 AND kind = 0 AND leaf IS NOT NULL AND title = ?2
        LIMIT 2
        """
      ).bind(parent).bind(title).all { $0.key(0) }
    }
    let room: Room?
    switch (keys.count, keys.first) {
    case (1, let key?):
      let record = try change.list(key)
      add(record.id, .list(above.id), record.details, line: line)
      room = Room(id: record.id, key: key)
    case (0, _):
      let id = ListID(.version7())
      add(id, .list(above.id), ListDetails(title: title), line: line)
      // Each line may name many rooms.
      try change.requireCount(records.count)
      room = Room(id: id, key: nil)
    default: room = nil
    }
    rooms[name] = .some(room)
    return room
  }

  private mutating func add(
    _ id: ListID, _ holder: TransferredList.Holder, _ details: ListDetails, line: Int
  ) {
    let list = TransferredList(
      id: id, holder: holder, details: details, createdAt: change.now, updatedAt: change.now)
    records.append(NumberedRecord(line: line, record: .list(list)))
  }
}
