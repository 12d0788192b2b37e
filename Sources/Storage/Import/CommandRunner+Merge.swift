import Inventory

extension CommandRunner {
  /// Updates existing rows by id, and creates the others at the end of their lists.
  func merge(
    _ records: [NumberedRecord], into reference: ListReference
  ) throws(StorageError) -> Outcome {
    let target = try change.target(of: records, reference)
    let counts = try make(try MergePlan(records, into: target, change))
    return Outcome(receipt: try change.commit(action: "import"), counts: counts)
  }

  /// Makes the changes of a merge, without the commit.
  func make(_ plan: MergePlan) throws(StorageError) -> TransferCounts {
    var keys = plan.keys
    var places = AppendSlots(plan.rows)
    var newLists: Set<RowKey> = []
    var counts = TransferCounts()
    var photos = MergedPhotos()

    /// Creates a row at the end of its list. Rows of newly created lists are left out of the receipt.
    func makeRow(
      _ id: RowID, in holder: RowID, _ list: RowKey,
      _ insert: (TreeSlot) throws(StorageError) -> Void
    ) throws(StorageError) {
      let isNew = newLists.contains(list)
      if !isNew { try change.require(.add, in: try change.list(list)) }
      var record = try change.list(list)
      let (place, index) = try places.next(in: holder, &record, shape: change.shape, db)
      let tree = record.tree
      try change.update(list) { $0.tree = tree }
      try insert(place)
      counts.created += 1
      guard !isNew else { return change.recordQuietly(.insert(id, at: index), on: list) }
      change.record(.insert(id, at: index), on: list)
      change.summaryChanged(of: list)
    }

    for step in plan.steps {
      guard let holder = keys[step.holder] else { throw .broken("\(step.holder) was not planned") }
      switch (step.record, step.existing) {
      case (.list(let list), let key?):
        let record = try change.list(key)
        try change.requireEditable(record, as: list.details)
        if record.details != list.details { counts.updated += 1 }
        try change.replace(record, with: list.details)
      case (.list(let list), nil) where step.isRow:
        try makeRow(RowID(list.id), in: step.holder, holder) { (place) throws(StorageError) in
          let key = try insert(list, parent: holder, place: place)
          keys[RowID(list.id)] = key
          newLists.insert(key)
        }
      case (.list(let list), nil):
        let key = try makeContents(list, of: holder, isKnown: step.isHolderKnown)
        keys[RowID(list.id)] = key
        newLists.insert(key)
        counts.created += 1
      case (.item(let item), let key?):
        var record = try ItemRecord.read(key, in: db)
        let (list, place) = try change.home(of: record)
        guard record.details != item.details else { continue }
        try change.require(.edit, in: list)
        try change.replace(
          &record, with: item.details, at: try change.index(of: place, in: list.key), of: list)
        counts.updated += 1
        photos.itemsChanged.insert(key)
      case (.item(let item), nil):
        try makeRow(RowID(item.id), in: step.holder, holder) { (place) throws(StorageError) in
          keys[RowID(item.id)] = try change.insertItem(
            NewItem(
              id: item.id, details: item.details, createdAt: item.createdAt,
              updatedAt: item.updatedAt), list: holder, place: place)
          try change.update(holder) { $0.total += item.details.total }
        }
      case (.photo(let photo), _):
        try photos.add(
          photo, isStored: step.isStored, to: holder, isItemKnown: step.isHolderKnown, change)
      }
    }
    counts.updated += try photos.put(change)
    for key in newLists { try change.list(key).save(in: db) }
    return counts
  }

  private func insert(
    _ list: TransferredList, parent: RowKey, place: TreeSlot?
  ) throws(StorageError) -> RowKey {
    try change.insertList(
      list.id, parent: parent, place: place, details: list.details, createdAt: list.createdAt,
      updatedAt: list.updatedAt)
  }

  /// - Parameter isKnown: whether the item existed before the change.
  private func makeContents(
    _ list: TransferredList, of key: RowKey, isKnown: Bool
  ) throws(StorageError) -> RowKey {
    var item = try ItemRecord.read(key, in: db)
    if isKnown { try change.require(.edit, in: try change.home(of: item).list) }
    let contents = try insert(list, parent: key, place: nil)
    try change.setContents(of: &item, to: (contents, list.id), isKnown: isKnown)
    return contents
  }
}

/// The photos of a merge, collected by item until all rows exist.
private struct MergedPhotos {
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
      // The photo's bytes are stored already. The uploaded ones are the same.
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
      try photo.take(
        at: change.revision, from: inventory, into: inventory, item: item, in: change.db)
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
