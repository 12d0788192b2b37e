import Inventory
import SQL

/// Writes one batch of records of a tree that is being staged.
struct StagedRecords {
  private let staging: Staging
  /// The maximum number of levels of lists in the tree.
  private let mostLevels: Int
  private let change: Change
  private var places: AppendSlots
  private var lists: [RowKey: ListRecord] = [:]
  /// The holders that records have named, or may name.
  private var holders: [RowID: Holder] = [:]
  private var (listCount, itemCount) = (0, 0)
  private var levels = 1
  /// The number of photos of each item that records have named.
  private var photoCounts: [RowKey: Int] = [:]

  private struct Holder {
    var key: RowKey
    var isList: Bool
    var hasContents: Bool
    /// The tree's top is on level 1.
    var level: Int
  }

  private var db: Connection { change.db }

  init(_ records: [NumberedRecord], of staging: Staging, most levels: Int, _ change: Change) {
    mostLevels = levels
    self.staging = staging
    self.change = change
    places = AppendSlots(records.lazy.map(\.record).filter(\.isRow).compactMap(\.holder))
  }

  mutating func write(_ records: [NumberedRecord]) throws(StorageError) {
    for numbered in records {
      let record = numbered.record
      func refuse(_ reason: LineConflict.Reason) -> StorageError {
        .conflict(reason, line: numbered.line, record.id)
      }
      if case .photo(let photo) = record {
        if let reason = try take(photo) { throw refuse(reason) }
        continue
      }
      guard let above = record.holder else { throw refuse(.secondTop) }
      guard try !isTaken(record.id) else { throw refuse(.idTaken) }
      guard let holder = try holder(above), holder.isList == record.isRow else {
        throw refuse(.noParent)
      }
      switch record {
      case .list(let list) where holder.isList:
        guard holder.level < mostLevels else { throw refuse(.tooDeep) }
        try insert(list, in: holder, place: try place(in: above, holder.key))
      case .list(let list):
        guard !holder.hasContents else { throw refuse(.otherContents) }
        guard holder.level < mostLevels else { throw refuse(.tooDeep) }
        let key = try insert(list, in: holder, place: nil)
        try db.sql("UPDATE row SET contents = ?2 WHERE key = ?1").bind(holder.key).bind(key)
          .perform()
        holders[above]?.hasContents = true
      case .item(let item):
        try insert(item, in: holder, place: try place(in: above, holder.key))
        lists[holder.key]?.total += item.details.total
      case .photo: break
      }
    }
    for list in lists.values { try list.save(in: db) }
    try staging.save(levels: levels, in: db)
    try InventoryRecord.count(lists: listCount, items: itemCount, in: staging.home, db)
  }

  /// Makes a photo the last of its item. Returns the conflict, or nil.
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
    try photo.take(
      at: staging.revision, from: staging.inventory, into: staging.home, item: item.key,
      place: place, in: db)
    if place == 0 {
      try db.sql("UPDATE row SET photo = ?2 WHERE key = ?1").bind(item.key).bind(photo.id).perform()
    }
    return nil
  }

  private func isTaken(_ id: RowID) throws(StorageError) -> Bool {
    guard staging.list == nil else { return try change.access.taken(id) != nil }
    // A hidden inventory has only staged rows.
    return try db.sql("SELECT 1 FROM row WHERE inventory = ?1 AND id = ?2").bind(staging.home)
      .bind(id).one { _ in true } ?? false
  }

  private func isTaken(_ id: PhotoID) throws(StorageError) -> Bool {
    guard staging.list == nil else { return try change.access.taken(id) != nil }
    return try db.sql("SELECT 1 FROM photo WHERE inventory = ?1 AND id = ?2").bind(staging.home)
      .bind(id).one { _ in true } ?? false
  }

  /// The holder of a record, if it has been staged.
  private mutating func holder(_ id: RowID) throws(StorageError) -> Holder? {
    if let known = holders[id] { return known }
    let found = try db.sql("SELECT key, kind, contents FROM row WHERE inventory = ?1 AND id = ?2")
      .bind(staging.home).bind(id).one {
        Holder(key: $0.key(0), isList: $0.isList(1), hasContents: !$0.isNull(2), level: 1)
      }
    // Rows that were not staged are below another top.
    guard var found,
      let level = try change.access.ancestors.level(of: found.key, below: staging.top)
    else { return nil }
    found.level = level
    holders[id] = found
    return found
  }

  private mutating func place(in id: RowID, _ key: RowKey) throws(StorageError) -> TreeSlot {
    var list = if let known = lists[key] { known } else { try ListRecord.read(key, in: db) }
    let (place, _) = try places.next(in: id, &list, shape: change.shape, db)
    lists[key] = list
    return place
  }

  @discardableResult
  private mutating func insert(
    _ list: TransferredList, in holder: Holder, place: TreeSlot?
  ) throws(StorageError) -> RowKey {
    let record = try ListRecord.insert(
      list.id, list.details, inventory: staging.home, parent: holder.key, at: place,
      createdAt: list.createdAt, updatedAt: list.updatedAt, revision: staging.revision,
      isStaged: true, below: staging.top, in: db)
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
    let key = try ItemRecord.insert(
      item.id, item.details, inventory: staging.home, list: holder.key, at: place,
      createdAt: item.createdAt, updatedAt: item.updatedAt, revision: staging.revision,
      placed: Revision(0), in: db)
    holders[RowID(item.id)] = Holder(
      key: key, isList: false, hasContents: false, level: holder.level + 1)
    itemCount += 1
  }
}
