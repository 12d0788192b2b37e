import FoundationEssentials
import Inventory
import SQLite

/// What merging each record comes to, found before anything is changed: all conflicts at once.
struct MergePlan {
  struct Step {
    var line: Int
    var record: TransferRecord
    /// The key of what is updated; nil: it is made.
    var existing: Int64?
    var holder: RowID
    /// Whether it stands in a list, and not in an item.
    var isRow: Bool
    /// Whether the holder was there before the change.
    var isHolderKnown: Bool
    /// Of a photo: whether its item has it already.
    var isInPlace = false
  }

  private(set) var steps: [Step] = []
  /// Of what is there already and is a holder.
  private(set) var keys: [RowID: Int64] = [:]

  /// For each row that is made, the id of its list.
  var rows: [RowID] { steps.filter { $0.existing == nil && $0.isRow }.map(\.holder) }

  private let change: Change
  private let target: ListRecord
  /// Whether the records are some of those that another plan has found to fit.
  private let isPart: Bool
  private var holders: [RowID: Holder] = [:]
  private var seen: Set<RowID> = []
  /// A space of ids of their own.
  private var seenPhotos: Set<PhotoID> = []

  private struct Holder {
    /// Nil: it is made by the change.
    var key: Int64?
    /// Nil for an item.
    var accepts: AcceptedKind?
    var contents: RowID?
    /// Counted from the inventory's root list.
    var level: Int
    /// How many photos it has by the end; nil: that has not been looked at.
    var photos: Int?
    var isList: Bool { accepts != nil }
  }

  /// - Throws: `lineConflicts`.
  init(
    _ records: [NumberedRecord], into target: ListRecord, isPart: Bool = false, _ change: Change
  ) throws(StorageError) {
    self.change = change
    self.target = target
    self.isPart = isPart
    var conflicts: [LineConflict] = []
    for (number, numbered) in records.enumerated() {
      let record = numbered.record
      if let reason = try plan(record, line: numbered.line, isFirst: number == 0) {
        conflicts.append(LineConflict(line: numbered.line, id: record.id, reason: reason))
        if conflicts.count == 100 { break }
      }
    }
    guard conflicts.isEmpty else { throw .refused(.lineConflicts(conflicts)) }
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
    let above = record.holder ?? RowID(target.id)
    guard let holder = try holder(above), holder.isList == record.isRow else { return .noParent }
    if let present {
      if record.holder != nil {
        // What is there does not stand in what is new, and the root list in nothing at all.
        guard holder.key != nil, present.parent == holder.key,
          (present.place != nil) == record.isRow
        else {
          return .elsewhere
        }
      }
    } else {
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
    steps.append(
      Step(
        line: line, record: record, existing: present?.key, holder: above, isRow: record.isRow,
        isHolderKnown: holder.key != nil))
    return nil
  }

  /// The record with what its line leaves out as what has its id has it.
  private func filled(
    _ record: TransferRecord, from present: Access.Entry
  ) throws(StorageError) -> TransferRecord {
    switch record {
    case .list(let list) where present.isList && !list.absent.isEmpty:
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
    if let present, present.item != holder.key { return .idTaken }
    var count = holder.photos ?? 0
    if holder.photos == nil, let key = holder.key {
      count = try PhotoRecord.ids(of: key, in: change.db).count
    }
    if present?.isInPlace != true { count += 1 }
    guard count <= Limits.photosOfItem else { return .tooManyPhotos }
    // It was there when its bytes came, and they were left out.
    guard present != nil || photo.upload != nil else { throw .refused(.importGone) }
    holders[above]?.photos = count
    steps.append(
      Step(
        line: line, record: .photo(photo), existing: present?.key, holder: above, isRow: false,
        isHolderKnown: holder.key != nil, isInPlace: present?.isInPlace == true))
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
      // What items it takes goes by the file from here on.
      holders[record.id] = Holder(
        key: present?.key, accepts: list.details.itemKind, level: level)
    case .item:
      // A line before may have named what is there already, and brought its contents or photos.
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

  /// Whether it stands in a list; contents stand in an item.
  var isRow: Bool {
    switch self {
    case .list(let list): if case .item = list.holder { false } else { true }
    case .item: true
    case .photo: false
    }
  }
}
