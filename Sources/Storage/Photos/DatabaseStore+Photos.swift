import Inventory

extension DatabaseStore {
  package func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    // If the first piece was accepted, a full queue does not refuse the later ones.
    perform(for: context.caller, isOptional: piece.number == 0, completion) {
      [self] (db) throws(StorageError) in
      try TokenTable(db: db).requireGrant(
        of: context.caller, now: Timestamp(configuration.now()))
      try CommandRunner(change(context, in: db)).stage(piece)
      return piece.bytes.count
    }
  }

  package func discard(_ upload: UploadID, _ context: WriteContext) {
    // Does not check the caller, whose list may have been deleted meanwhile.
    perform(for: context.caller, isOptional: false, { [self] _ in sweepPhotos() }) {
      (db) throws(StorageError) in
      try PhotoSweep.discard(upload, in: db)
      return 0
    }
  }

  package func readPhoto(
    _ photo: PhotoID, addedBy revision: Revision? = nil, _ rendition: RenditionSize?,
    _ bytes: Range<Int>, for caller: Caller,
    completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void
  ) {
    photoReader.read(photo, addedBy: revision, rendition, bytes, for: caller, completion)
  }

  /// Deletes unreachable photos step by step, until none are left.
  func sweepPhotos() {
    let hasMore = Flag()
    perform(
      for: nil, isOptional: false,
      { [self] result in if case .success = result, hasMore.value { sweepPhotos() } }
    ) { (db) throws(StorageError) in
      if try PhotoSweep.step(in: db) { hasMore.set() }
      return 0
    }
  }

  /// Queues one piece of long work for the writer, in its turn.
  ///
  /// - Parameter caller: nil for work of the store itself.
  func perform(
    for caller: Caller?, isOptional: Bool,
    _ completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void,
    _ task: @escaping PendingWrite.Task
  ) {
    pieces.acquire { [self] in
      push(.task(task, for: caller?.token), isOptional: isOptional) { [pieces] result in
        completion(result.map { _ in })
        pieces.release()
      }
    }
  }
}
