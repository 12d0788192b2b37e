import Inventory

extension ArrayStore {
  package func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    let now = clock()
    completion(
      present.withLock { state in
        var change = ArrayChange(of: state, context, at: now, doing: "")
        do throws(InventoryError) {
          try state.requireGrant(of: context.caller, at: clock())
          try change.stage(piece)
          state = change.state
          return .success(())
        } catch {
          return .failure(error)
        }
      })
  }

  package func discard(_ upload: UploadID, _ context: WriteContext) {
    present.withLock { state in state.uploads[upload] = nil }
  }

  /// How many uploads have been begun and neither become photos nor been given up.
  package var uploadCount: Int { state.uploads.count }

  package func readPhoto(
    _ photo: PhotoID, addedBy revision: Revision?, _ rendition: RenditionSize?,
    _ bytes: Range<Int>, for caller: Caller,
    completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void
  ) {
    let state = state
    guard let stored = state.photos[photo],
      revision == nil || stored.photo.revision == revision,
      case let whole = rendition.map({ stored.renditions[$0]?.bytes ?? [] }) ?? stored.bytes,
      whole.indices.contains(bytes.lowerBound),
      let item = state.items[stored.item], item.photos.contains(photo),
      (try? state.require(RowID(stored.item), for: caller, as: .item)) != nil
    else {
      completion(.failure(.notFound(.photo)))
      return
    }
    // As much as there is of one piece, as a store does that keeps pieces.
    let end = bytes.lowerBound / PhotoPiece.size * PhotoPiece.size + PhotoPiece.size
    completion(
      .success(
        Array(whole[bytes.clamped(to: 0..<min(end, whole.count))])))
  }
}
