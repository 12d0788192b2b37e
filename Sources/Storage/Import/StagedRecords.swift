import FoundationEssentials
import Inventory
import SQLite

/// Writes one run of records of a tree that is being staged.
struct StagedRecords {
  private let staging: Staging
  /// On so many levels the tree may have lists.
  private let mostLevels: Int
  private let change: Change
  private var places: AppendSlots
  private var lists: [Int64: ListRecord] = [:]
  /// What records have named as their holder, or may.
  private var holders: [RowID: Holder] = [:]
  private var (listCount, itemCount) = (0, 0)
  private var levels = 1
  /// How many photos items have that records have named.
  private var photoCounts: [Int64: Int] = [:]

  private struct Holder {
    var key: Int64
    var isList: Bool
    var hasContents: Bool
    /// The tree's top is on level 1.
    var level: Int
  }

  private var db: Connection { change.db }

  init(
    _ records: [NumberedRecord], of staging: Staging, most levels: Int, _ change: Change
  ) {
    mostLevels = levels
    self.staging = staging
    self.change = change
    places = AppendSlots(records.lazy.compactMap(\.record.list))
  }

  mutating func write(_ records: [NumberedRecord]) throws(StorageError) {
    for numbered in records {
      let record = numbered.record
      func refuse(_ reason: LineConflict.Reason) -> StorageError {
        .refused(
          .lineConflicts([LineConflict(line: numbered.line, id: record.id, reason: reason)]))
      }
      if case .photo(let photo) = record {
        if let reason = try take(photo) { throw refuse(reason) }
        continue
      }
      guard let above = record.holder else { throw refuse(.secondTop) }
      guard try !isTaken(record.id) else { throw refuse(.idTaken) }
      guard let holder = try holder(above), holder.isList == (record.list != nil) else {
        throw refuse(.noParent)
      }
      switch record {
      case .list(let list) where holder.isList:
        guard holder.level < mostLevels else { throw refuse(.tooDeep) }
        let (place, _) = try place(in: above, holder.key)
        try insert(list, in: holder, place: place)
      case .list(let list):
        guard !holder.hasContents else { throw refuse(.otherContents) }
        guard holder.level < mostLevels else { throw refuse(.tooDeep) }
        let key = try insert(list, in: holder, place: nil)
        try db.sql("UPDATE row SET contents = ?2 WHERE key = ?1").bind(holder.key).bind(key)
          .perform()
        holders[above]?.hasContents = true
      case .item(let item):
        let (place, _) = try place(in: above, holder.key)
        try insert(item, in: holder, place: place)
        lists[holder.key]?.total += item.details.total
      case .photo: break
      }
    }
    for list in lists.values { try list.save(in: db) }
    try staging.save(levels: levels, in: db)
    try db.sql(
      """
      UPDATE inventory SET list_count = list_count + ?2, item_count = item_count + ?3
      WHERE key = ?1
      """
    ).bind(staging.home).bind(listCount).bind(itemCount).perform()
  }

  /// Makes a photo the last of its item; why it cannot be, or nil.
  private mutating func take(
    _ photo: TransferredPhoto
  ) throws(StorageError) -> LineConflict.Reason? {
    guard try !isTaken(photo.id) else { return .idTaken }
    guard let item = try holder(RowID(photo.item)), !item.isList else { return .noParent }
    var known = photoCounts[item.key]
    if known == nil { known = try PhotoRecord.ids(of: item.key, in: db).count }
    let place = known ?? 0
    guard place < Limits.photosOfItem else { return .tooManyPhotos }
    photoCounts[item.key] = place + 1
    try ArrivedPhoto(photo, revision: staging.revision)
      .take(from: staging.inventory, into: staging.home, item: item.key, place: place, in: db)
    if place == 0 {
      try db.sql("UPDATE row SET photo = ?2 WHERE key = ?1").bind(item.key).bind(photo.id).perform()
    }
    return nil
  }

  private func isTaken(_ id: RowID) throws(StorageError) -> Bool {
    guard staging.list == nil else { return try change.access.taken(id) != nil }
    // In a hidden inventory there is nothing but what has been staged.
    return try db.sql("SELECT 1 FROM row WHERE inventory = ?1 AND id = ?2").bind(staging.home)
      .bind(id).one { _ in true } ?? false
  }

  private func isTaken(_ id: PhotoID) throws(StorageError) -> Bool {
    guard staging.list == nil else { return try change.access.taken(id) != nil }
    return try db.sql("SELECT 1 FROM photo WHERE inventory = ?1 AND id = ?2").bind(staging.home)
      .bind(id).one { _ in true } ?? false
  }

  /// What a record stands in, if that has been staged.
  private mutating func holder(_ id: RowID) throws(StorageError) -> Holder? {
    if let known = holders[id] { return known }
    let found = try db.sql("SELECT key, kind, contents FROM row WHERE inventory = ?1 AND id = ?2")
      .bind(staging.home).bind(id).one {
        Holder(key: $0.int64(0), isList: $0.int64(1) == 0, hasContents: !$0.isNull(2), level: 1)
      }
    // Ids of what is there already lead elsewhere.
    guard var found,
      let level = try change.access.ancestors.level(of: found.key, below: staging.top)
    else { return nil }
    found.level = level
    holders[id] = found
    return found
  }

  private mutating func place(
    in id: RowID, _ key: Int64
  ) throws(StorageError) -> (place: TreeSlot, index: Int) {
    var known = lists[key]
    if known == nil { known = try ListRecord.find(key: key, in: db) }
    guard var list = known else { throw .broken("list \(key) is gone") }
    let place = try places.next(in: id, &list, shape: change.shape, db)
    lists[key] = list
    return place
  }

  @discardableResult
  private mutating func insert(
    _ list: TransferredList, in holder: Holder, place: TreeSlot?
  ) throws(StorageError) -> Int64 {
    let record = try staging.insert(list, parent: holder.key, place: place, db)
    lists[record.key] = record
    let level = holder.level + 1
    levels = max(levels, level)
    holders[RowID(list.id)] = Holder(
      key: record.key, isList: true, hasContents: false, level: level)
    listCount += 1
    return record.key
  }

  private mutating func insert(
    _ item: TransferredItem, in holder: Holder, place: TreeSlot
  ) throws(StorageError) {
    let columns = ItemBindings(item.details)
    try db.sql(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, name, serial_number, value,
        quantity, tags, make, model, year, fuel, fields, notes, created_at, updated_at, revision)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21)
      """
    ).bind(staging.home).bind(holder.key).bind(place.leaf).bind(place.pos).bind(columns.kind)
      .bind(item.id).bind(columns).bind(item.createdAt.seconds).bind(item.updatedAt.seconds)
      .bind(staging.revision.number).perform()
    holders[RowID(item.id)] = Holder(
      key: db.lastInsertRowID, isList: false, hasContents: false, level: holder.level + 1)
    itemCount += 1
  }
}

extension TransferRecord {
  /// The list that it is a row of; nil for the top and for contents.
  var list: RowID? {
    switch self {
    case .list(let list):
      if case .list(let id) = list.holder { RowID(id) } else { nil }
    case .item(let item): RowID(item.list)
    case .photo: nil
    }
  }
}

extension Staging {
  /// Writes a list without rows.
  func insert(
    _ list: TransferredList, parent: Int64?, place: TreeSlot?, _ db: Connection
  ) throws(StorageError) -> ListRecord {
    try Staging.insert(
      list, inventory: home, parent: parent, place: place, revision: revision,
      updatedAt: list.updatedAt, below: top, db)
  }

  /// - Parameter top: the tree's; nil for itself.
  static func insert(
    _ list: TransferredList, inventory: Int64, parent: Int64?, place: TreeSlot?,
    revision: Revision, updatedAt: Timestamp, below top: Int64? = nil, _ db: Connection
  ) throws(StorageError) -> ListRecord {
    try db.sql(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, created_at)
      VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)
      """
    ).bind(inventory).bind(parent).bind(place?.leaf).bind(place?.pos).bind(list.id)
      .bind(list.details.title).bind(list.createdAt.seconds).perform()
    let key = db.lastInsertRowID
    try db.sql("INSERT INTO list (key, revision, updated_at, arrival) VALUES (?1, ?2, ?3, ?4)")
      .bind(key).bind(revision.number).bind(updatedAt.seconds).bind(top ?? key).perform()
    let record = ListRecord(
      key: key, id: list.id, parent: parent, place: place, details: list.details,
      tree: OrderTree(list: key, root: 0, height: 0, nextNode: 1, count: 0), total: .zero,
      revision: revision, createdAt: list.createdAt, updatedAt: updatedAt)
    try record.save(in: db)
    return record
  }
}
