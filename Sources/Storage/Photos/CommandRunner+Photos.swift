import Inventory

extension CommandRunner {
  func addPhoto(_ new: NewPhoto, to id: ItemID) throws(StorageError) -> Outcome {
    var item = try change.access.item(id)
    try change.requireRole(.editor)
    let (list, _) = try change.home(of: item)
    if let index = item.photos.firstIndex(of: new.id) {
      let present = try PhotoRecord.all(of: item.key, in: db).first { $0.id == new.id }
      guard let present, present.size == new.size, present.image == new.image,
        try PhotoRecord.hasBytes(of: new.upload, new.id, in: change.access.inventory, db)
      else { throw .refused(.photoIDTaken(new.id)) }
      return try outcome(
        Receipt(revision: change.access.revision, isChanged: false), new.id, at: index, of: item)
    }
    guard try change.access.taken(new.id) == nil else { throw .refused(.photoIDTaken(new.id)) }
    try change.requireMatch(item, in: list)
    try change.require(.edit, in: list)
    try requireRoom(in: item)
    let inventory = change.access.inventory
    try TransferredPhoto(
      id: new.id, item: id, image: new.image, size: new.size, createdAt: change.now,
      upload: new.upload
    ).take(at: change.revision, from: inventory, into: inventory, item: item.key, in: db)
    try change.rewritePhotos(of: &item, as: item.photos + [new.id])
    let receipt = try change.commit(action: "add photo")
    return try outcome(receipt, new.id, at: item.photos.count - 1, of: item, isCreated: true)
  }

  func deletePhoto(_ photo: PhotoID, of id: ItemID) throws(StorageError) -> Outcome {
    var item = try editable(id, with: photo)
    try change.rewritePhotos(of: &item, as: item.photos.filter { $0 != photo })
    return Outcome(receipt: try change.commit(action: "delete photo"))
  }

  func reorderPhotos(of id: ItemID, _ photos: [PhotoID]) throws(StorageError) -> Outcome {
    var item = try editable(id)
    do throws(InventoryError) { try item.photos.requireSame(photos) } catch {
      throw .refused(error)
    }
    try change.rewritePhotos(of: &item, as: photos)
    return Outcome(receipt: try change.commit(action: "reorder photos"))
  }

  /// Stores the next bytes of a photo that will be added later.
  func stage(_ piece: PhotoPiece) throws(StorageError) {
    if piece.number == 0 {
      // No item has the key 0.
      var key = RowKey(0)
      if let id = piece.item {
        let item = try editable(id)
        try requireRoom(in: item)
        key = item.key
      } else {
        try change.requireRole(.editor)
      }
      try db.sql(
        "INSERT INTO photo (inventory, id, item, state, created_at) VALUES (?1, ?2, ?3, 0, ?4)"
      ).bind(change.access.inventory).bind(piece.upload).bind(key).bind(change.now.seconds)
        .perform()
    }
    let added = try db.sql(
      """
      INSERT INTO photo_piece (photo, number, bytes)
      SELECT key, ?3, ?4 FROM photo WHERE inventory = ?1 AND id = ?2 AND state = 0
      """
    ).bind(change.access.inventory).bind(piece.upload).bind(piece.number).bind(piece.bytes)
      .performCounting()
    // The upload was deleted together with an inventory that an import replaced.
    guard added == 1 else {
      throw .refused(piece.item == nil ? .importGone : .notFound(.item))
    }
  }

  /// The item that a request names. Throws unless the request may change its photos.
  ///
  /// - Parameter photo: a photo that the item must have.
  func editable(
    _ id: ItemID, with photo: PhotoID? = nil
  ) throws(StorageError) -> ItemRecord {
    let item = try change.access.item(id)
    if let photo, !item.photos.contains(photo) { throw .refused(.notFound(.photo)) }
    try change.requireRole(.editor)
    let (list, _) = try change.home(of: item)
    try change.requireMatch(item, in: list)
    try change.require(.edit, in: list)
    return item
  }

  private func requireRoom(in item: ItemRecord) throws(StorageError) {
    guard item.photos.count < Limits.photosOfItem else {
      throw .refused(.tooManyPhotos(limit: Limits.photosOfItem))
    }
  }

  private func outcome(
    _ receipt: Receipt, _ id: PhotoID, at index: Int, of item: ItemRecord, isCreated: Bool = false
  ) throws(StorageError) -> Outcome {
    let photos = try PhotoRecord.all(of: item.key, in: db)
    guard photos.indices.contains(index), photos[index].id == id else {
      throw .broken("item \(item.id): its photos are not in order")
    }
    return Outcome(
      receipt: receipt, resource: .photo(photos[index], of: item.id, index: index),
      isCreated: isCreated)
  }
}

extension Change {
  /// Sets an item's photos and their order. Does nothing if they are the same.
  ///
  /// Removed photos can be restored as long as the change can be undone.
  func rewritePhotos(
    of item: inout ItemRecord, as photos: [PhotoID], isLogged: Bool = true
  ) throws(StorageError) {
    let old = item.photos
    guard photos != old else { return }
    for photo in old where !photos.contains(photo) {
      try db.sql(
        """
        UPDATE photo SET state = 2, place = NULL, removed = ?3 WHERE inventory = ?1 AND id = ?2
        """
      ).bind(access.inventory).bind(photo).bind(revision.number).perform()
    }
    for (place, photo) in photos.enumerated()
    where place >= old.count || old[place] != photo {
      let changed = try db.sql(
        """
        UPDATE photo SET state = 1, place = ?3, removed = NULL
        WHERE inventory = ?1 AND id = ?2 AND item = ?4 AND state IN (1, 2)
        """
      ).bind(access.inventory).bind(photo).bind(place).bind(item.key).performCounting()
      guard changed == 1 else { throw .broken("photo \(photo) is gone") }
    }
    item.photos = photos
    item.revision = revision
    if isLogged { item.updatedAt = now }
    try db.sql("UPDATE row SET photo = ?2, revision = ?3, updated_at = ?4 WHERE key = ?1")
      .bind(item.key).bind(photos.first).bind(item.revision.number)
      .bind(item.updatedAt.seconds).perform()
    let row = RowID(item.id)
    let (list, place) = try home(of: item)
    guard isLogged else {
      return know(.item(ItemSummary(item.item(in: list.id))), of: row)
    }
    record(
      ChangeLog.Edit(
        row: row, field: ChangeLog.Edit.photos, before: .photos(old), after: .photos(photos)))
    if photos.first != old.first {
      let index = try index(of: place, in: list.key)
      know(.item(ItemSummary(item.item(in: list.id))), of: row)
      record(.reload(row, at: index), on: list.key)
    }
  }
}

extension ChangeLog.Edit {
  /// The field of an item's photos: their ids in order, one per line.
  static let photos = "photos"
}

extension FieldValue {
  static func photos(_ ids: [PhotoID]) -> Self {
    ids.isEmpty ? .null : .text(ids.map(\.description).joined(separator: "\n"))
  }

  var photos: [PhotoID] {
    guard case .text(let lines) = self else { return [] }
    return lines.split(separator: "\n").compactMap { PhotoID(text: String($0)) }
  }
}
