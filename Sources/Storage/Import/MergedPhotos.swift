import Inventory
import SQLite

/// The photos that a merge brings, gathered until all rows are there: of one item together.
struct MergedPhotos {
  /// The keys of those whose details the merge has changed.
  var itemsChanged: Set<Int64> = []
  /// The keys of items with photos that they do not have yet, in the order of the lines.
  private var items: [Int64] = []
  private var photos: [Int64: [PhotoID]] = [:]
  private var newItems: Set<Int64> = []

  /// - Parameters:
  ///   - present: the key of the photo, if the item has it or has had it before.
  ///   - item: the item's key.
  mutating func add(
    _ photo: TransferredPhoto, _ present: Int64?, to item: Int64, isItemKnown: Bool,
    _ runner: CommandRunner
  ) throws(StorageError) {
    if present != nil {
      // Its bytes are there: these are the same once more.
      if let upload = photo.upload { try PhotoSweep.discard(upload, in: runner.db) }
      let known = try PhotoRecord.ids(of: item, in: runner.db)
      guard !known.contains(photo.id) else { return }
    }
    if isItemKnown {
      let (list, _) = try runner.home(of: try Self.record(item, runner))
      try runner.require(.edit, in: list)
    } else {
      newItems.insert(item)
    }
    if present == nil {
      let inventory = runner.change.access.inventory
      try ArrivedPhoto(photo, revision: runner.change.revision)
        .take(from: inventory, into: inventory, item: item, place: nil, in: runner.db)
    }
    if photos[item] == nil { items.append(item) }
    photos[item, default: []].append(photo.id)
  }

  /// Puts each behind those that its item has; how many items that were there are changed by it alone.
  func put(_ runner: CommandRunner) throws(StorageError) -> Int {
    for key in items {
      var item = try Self.record(key, runner)
      let all = item.photos + (photos[key] ?? [])
      // Of what is new the log tells that it was made, and no more.
      try runner.rewritePhotos(of: &item, as: all, isLogged: !newItems.contains(key))
    }
    return items.count { !newItems.contains($0) && !itemsChanged.contains($0) }
  }

  private static func record(
    _ key: Int64, _ runner: CommandRunner
  ) throws(StorageError) -> ItemRecord {
    guard let record = try ItemRecord.find(key: key, in: runner.db) else {
      throw .broken("item \(key) is gone")
    }
    return record
  }
}
