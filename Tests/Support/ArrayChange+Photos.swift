import Inventory

extension ArrayChange {
  mutating func addPhoto(_ new: NewPhoto, to item: ItemID) throws(InventoryError) -> Outcome {
    try state.requireItem(item, for: caller)
    try requireRole(.editor)
    if let index = state[item].photos.firstIndex(of: new.id) {
      guard let present = state.photos[new.id]?.photo, present.size == new.size,
        present.image == new.image,
        state.photos[new.id]?.bytes == state.uploads[new.upload]
      else { throw .photoIDTaken(new.id) }
      return Outcome(receipt: finish(), resource: resource(photo: index, of: item))
    }
    guard state.photos[new.id] == nil else { throw .photoIDTaken(new.id) }
    try requireRoom(in: item)
    guard let bytes = state.uploads.removeValue(forKey: new.upload) else {
      throw .storageFailed("the upload \(new.upload) is gone")
    }
    state.photos[new.id] = ArrayState.StoredPhoto(
      photo: Photo(
        id: new.id, image: new.image, size: new.size, revision: before.revision.next,
        createdAt: now),
      item: item, bytes: bytes)
    state[item].photos.append(new.id)
    touch(item)
    let receipt = finish()
    return Outcome(
      receipt: receipt, resource: resource(photo: state[item].photos.count - 1, of: item),
      isCreated: true)
  }

  mutating func deletePhoto(_ photo: PhotoID, of item: ItemID) throws(InventoryError) -> Outcome {
    try state.requireItem(item, for: caller)
    guard state[item].photos.contains(photo) else { throw .notFound(.photo) }
    try requireRole(.editor)
    try requireMatch(item: item)
    try require(.edit, in: state[item].list)
    state[item].photos.removeAll { $0 == photo }
    touch(item)
    return Outcome(receipt: finish())
  }

  mutating func reorderPhotos(
    of item: ItemID, _ photos: [PhotoID]
  ) throws(InventoryError) -> Outcome {
    try state.requireItem(item, for: caller)
    try requireRole(.editor)
    try requireMatch(item: item)
    try require(.edit, in: state[item].list)
    try state[item].photos.requireSame(photos)
    state[item].photos = photos
    touch(item)
    return Outcome(receipt: finish())
  }

  mutating func addRendition(
    _ new: NewRendition, of photo: PhotoID, in item: ItemID
  ) throws(InventoryError) -> Outcome {
    try state.requireItem(item, for: caller)
    guard state[item].photos.contains(photo), let image = state.photos[photo]?.photo.image else {
      throw .notFound(.photo)
    }
    try requireRole(.editor)
    try requireMatch(item: item)
    try require(.edit, in: state[item].list)
    _ = try new.sides(as: image)
    if let present = state.photos[photo]?.renditions[new.size] {
      guard present.bytes == new.bytes else { throw .renditionTaken(new.size) }
    }
    state.photos[photo]?.renditions[new.size] = new
    return Outcome(receipt: Receipt(revision: state.revision, isChanged: false))
  }

  mutating func stage(_ piece: PhotoPiece) throws(InventoryError) {
    if piece.number == 0 {
      if let item = piece.item {
        try state.requireItem(item, for: caller)
        try requireRole(.editor)
        try requireRoom(in: item)
      } else {
        try state.requireRoot(of: caller)
        try requireRole(.editor)
      }
      state.uploads[piece.upload] = []
    }
    state.uploads[piece.upload]? += piece.bytes
  }

  private func requireRoom(in item: ItemID) throws(InventoryError) {
    try requireMatch(item: item)
    try require(.edit, in: state[item].list)
    guard state[item].photos.count < Limits.photosOfItem else {
      throw .tooManyPhotos(limit: Limits.photosOfItem)
    }
  }

  private func resource(photo index: Int, of item: ItemID) -> Outcome.Resource {
    .photo(state.photos(of: item)[index], of: item, index: index)
  }
}

extension ArrayState {
  func photos(of item: ItemID) -> [Photo] {
    self[item].photos.map { id in
      guard let stored = photos[id] else { preconditionFailure("No photo \(id).") }
      return stored.photo
    }
  }
}
