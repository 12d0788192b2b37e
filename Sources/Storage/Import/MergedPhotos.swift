import Inventory
import SQLite

/// The photos of a merge, collected by item until all rows exist.
struct MergedPhotos {
  /// The keys of items whose details the merge has changed.
  var itemsChanged: Set<RowKey> = []
  /// The keys of items that get new photos, in the order of the lines.
  private var items: [RowKey] = []
  private var photos: [RowKey: [PhotoID]] = [:]
  private var newItems: Set<RowKey> = []

  /// - Parameters:
  ///   - isStored: whether its bytes are stored already, because the item has it or had it before.
  ///   - item: the item's key.
  mutating func add(
    _ photo: TransferredPhoto, isStored: Bool, to item: RowKey, isItemKnown: Bool,
    _ change: Change
  ) throws(StorageError) {
    if isStored {
      // Its bytes are stored already; these are the same again.
      if let upload = photo.upload { try PhotoSweep.discard(upload, in: change.db) }
      let known = try PhotoRecord.ids(of: item, in: change.db)
      guard !known.contains(photo.id) else { return }
    }
    if isItemKnown {
      let (list, _) = try change.home(of: try ItemRecord.read(item, in: change.db))
      try change.require(.edit, in: list)
    } else {
      newItems.insert(item)
    }
    if !isStored {
      let inventory = change.access.inventory
      try ArrivedPhoto(photo, revision: change.revision)
        .take(from: inventory, into: inventory, item: item, place: nil, in: change.db)
    }
    if photos[item] == nil { items.append(item) }
    photos[item, default: []].append(photo.id)
  }

  /// Appends the photos to those of their items. Returns how many existing items are changed only by this.
  func put(_ change: Change) throws(StorageError) -> Int {
    for key in items {
      var item = try ItemRecord.read(key, in: change.db)
      let all = item.photos + (photos[key] ?? [])
      // The log has only the creation of a new item.
      try change.rewritePhotos(of: &item, as: all, isLogged: !newItems.contains(key))
    }
    return items.count { !newItems.contains($0) && !itemsChanged.contains($0) }
  }
}
