import Inventory

/// The effect of each record of a merge, computed before anything is changed. Up to 100 conflicts are reported
/// together.
///
/// The *holder* of a record is the row that it belongs to: the list of a row, or the item of a contents list or of a
/// photo.
struct MergePlan {
  struct Step {
    var line: Int
    var record: TransferRecord
    /// The key of the row to update; nil if it is created.
    var existing: RowKey?
    var holder: RowID
    /// Whether it is a row of a list, and not an item's contents.
    var isRow: Bool
    /// Whether the holder existed before the change.
    var isHolderKnown: Bool
    /// For a photo: whether its bytes are stored already, because its item has it or had it before.
    var isStored = false
    /// For a photo: whether its item has it already.
    var isInPlace = false
  }

  private(set) var steps: [Step] = []
  /// The keys of existing holders.
  private(set) var keys: [RowID: RowKey] = [:]

  /// For each new row, the id of its list.
  var rows: [RowID] { steps.filter { $0.existing == nil && $0.isRow }.map(\.holder) }

  private let change: Change
  private let target: ListRecord
  /// Whether the records are a part of those that another plan has checked.
  private let isPart: Bool
  private var holders: [RowID: Holder] = [:]
  private var seen: Set<RowID> = []
  /// Photos have ids of their own.
  private var seenPhotos: Set<PhotoID> = []
  /// Reads the log once for all photos.
  private var past: PastSight
  /// The lines whose rows would have no name or title.
  private var nameless: [FieldError] = []

  private struct Holder {
    /// Nil if the change creates it.
    var key: RowKey?
    /// Nil for an item.
    var accepts: AcceptedKind?
    var contents: RowID?
    /// Counted from the inventory's root list.
    var level: Int
    /// The number of its photos after the merge; nil if it has not been read.
    var photos: Int?
    var isList: Bool { accepts != nil }
  }

  /// - Throws: `lineConflicts`, or else `invalidLines` if rows have no name.
  init(
    _ records: [NumberedRecord], into target: ListRecord, isPart: Bool = false, _ change: Change
  ) throws(StorageError) {
    self.change = change
    self.target = target
    self.isPart = isPart
    past = PastSight(change.access)
    var conflicts: [LineConflict] = []
    for (number, numbered) in records.enumerated() {
      let record = numbered.record
      if let reason = try plan(record, line: numbered.line, isFirst: number == 0) {
        conflicts.append(LineConflict(line: numbered.line, id: record.id, reason: reason))
        if conflicts.count == 100 { break }
      }
    }
    guard conflicts.isEmpty else { throw .refused(.lineConflicts(conflicts)) }
    guard nameless.isEmpty else {
      throw .refused(.invalidLines(Array(nameless.prefix(Limits.reportedErrors))))
    }
  }

  private mutating func plan(
    _ record: TransferRecord, line: Int, isFirst: Bool
  ) throws(StorageError) -> LineConflict.Reason? {
    if case .photo(let photo) = record { return try plan(photo, line: line) }
    var record = record
    guard seen.insert(record.id).inserted else { return .repeated }
    guard isPart || isFirst == (record.holder == nil) else {
      return isFirst ? .noParent : .secondTop
    }
    let present = try change.access.taken(record.id)
    if let present {
      switch try change.access.visibility(present.key, present.parent) {
      case .live: break
      case .inTrash: return .inTrash
      case .purged, .outside, .arriving: return .idTaken
      }
      record = try filled(record, from: present)
      guard present.kind == record.kind else { return .otherKind }
    }
    var above = record.holder ?? RowID(target.id)
    // In a part, the list that the line of an existing row names may still be staged.
    if present == nil || !isPart {
      guard let named = try holder(above), named.isList == record.isRow else { return .noParent }
    }
    if let present, record.holder != nil {
      // A row that has been moved since the export is updated where it is. The root list has no parent.
      guard let parent = present.parent, (present.place != nil) == record.isRow else {
        return .elsewhere
      }
      if keys[above] != parent {
        let home = RowID(try change.access.id(of: parent))
        // An item's contents cannot be moved to another item.
        guard record.isRow || home == above else { return .elsewhere }
        above = home
      }
    }
    guard let holder = try holder(above) else { return .elsewhere }
    if present == nil {
      if !record.isRow, holder.contents != nil { return .otherContents }
      if let accepts = holder.accepts, holder.key != nil, let kind = record.kind,
        !accepts.accepts(kind)
      {
        return .kindMismatch
      }
      if case .list = record {
        guard change.access.depthLimit.admits(holder.level + 1) else { return .tooDeep }
        change.access.note(holder.level + 1)
      }
      if !record.isRow { holders[above]?.contents = record.id }
    }
    try note(record, present, below: holder)
    if let error = record.missingName { nameless.append(error.on(line: line)) }
    steps.append(
      Step(
        line: line, record: record, existing: present?.key, holder: above, isRow: record.isRow,
        isHolderKnown: holder.key != nil))
    return nil
  }

  /// Fills the fields that a line leaves out, from the existing row with its id.
  private func filled(
    _ record: TransferRecord, from present: Access.Entry
  ) throws(StorageError) -> TransferRecord {
    switch record {
    case .list(let list)
    where present.isList && (list.absent != [] || list.absentPermissions != []):
      return .list(list.filled(from: try change.list(present.key).details))
    case .item(let item) where !present.isList && !item.absent.isEmpty:
      guard let known = try ItemRecord.find(key: present.key, in: change.db) else { return record }
      return .item(item.filled(from: known.details))
    default: return record
    }
  }

  private mutating func plan(
    _ photo: TransferredPhoto, line: Int
  ) throws(StorageError) -> LineConflict.Reason? {
    guard seenPhotos.insert(photo.id).inserted else { return .repeated }
    let above = RowID(photo.item)
    guard let holder = try holder(above), !holder.isList else { return .noParent }
    let present = try change.access.taken(photo.id)
    if let present {
      guard present.item == holder.key else { return .idTaken }
      // Only a caller who saw a removed photo can bring it back. Others would get to see it.
      let isBack = !present.isInPlace && photo.upload != nil
      if isBack, try !PhotoRecord.isRemoved(photo, for: change.access, &past) { return .idTaken }
    }
    var count = holder.photos ?? 0
    if holder.photos == nil, let key = holder.key {
      count = try PhotoRecord.ids(of: key, in: change.db).count
    }
    if present?.isInPlace != true { count += 1 }
    guard count <= Limits.photosOfItem else { return .tooManyPhotos }
    // The photo existed when its bytes arrived, so the bytes were not stored again. Now the photo is gone.
    guard present != nil || photo.upload != nil else { throw .refused(.importGone) }
    holders[above]?.photos = count
    steps.append(
      Step(
        line: line, record: .photo(photo), existing: nil, holder: above, isRow: false,
        isHolderKnown: holder.key != nil, isStored: present != nil,
        isInPlace: present?.isInPlace == true))
    return nil
  }

  private mutating func note(
    _ record: TransferRecord, _ present: Access.Entry?, below holder: Holder
  ) throws(StorageError) {
    let level =
      if let present { try change.access.levelInInventory(of: present.key) } else {
        holder.level + 1
      }
    switch record {
    case .list(let list):
      // From here on, the file's item kind applies.
      holders[record.id] = Holder(
        key: present?.key, accepts: list.details.itemKind, level: level)
    case .item:
      // An earlier line may have named the existing item's contents or photos.
      let known = holders[record.id]
      holders[record.id] = Holder(
        key: present?.key, contents: known?.contents ?? present?.contents.map { _ in record.id },
        level: level, photos: known?.photos)
    case .photo: break
    }
    keys[record.id] = present?.key
  }

  private mutating func holder(_ id: RowID) throws(StorageError) -> Holder? {
    if let known = holders[id] { return known }
    guard let entry = try change.access.find(id) else { return nil }
    guard try change.access.visibility(entry.key, entry.parent) == .live else { return nil }
    var holder = Holder(
      key: entry.key, contents: entry.contents.map { _ in id },
      level: try change.access.levelInInventory(of: entry.key))
    if entry.isList { holder.accepts = try change.list(entry.key).details.itemKind }
    holders[id] = holder
    keys[id] = entry.key
    return holder
  }
}

extension TransferRecord {
  /// Nil for a list.
  var kind: ItemKind? {
    if case .item(let item) = self { item.details.kind } else { nil }
  }

  /// Whether it is a row of a list. Contents belong to an item.
  var isRow: Bool {
    switch self {
    case .list(let list): if case .item = list.holder { false } else { true }
    case .item: true
    case .photo: false
    }
  }
}
