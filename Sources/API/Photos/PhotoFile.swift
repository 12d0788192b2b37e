import Inventory

/// The file that answers a request for a photo: the photo itself or one of its renditions.
struct PhotoFile: Sendable {
  let photo: Photo
  var rendition: Rendition?
  /// Whether the same request will always get this file.
  var isFinal = true

  var type: ImageType { rendition?.type ?? photo.image.type }
  /// The size in bytes.
  var byteCount: Int { rendition?.byteCount ?? photo.size }

  /// The entity tag without quotes. It is the same for every caller. That of a rendition ends with its size: `41-208`.
  var tag: String {
    let revision = String(photo.revision.number)
    return rendition.map { "\(revision)-\($0.size.rawValue)" } ?? revision
  }

  init(_ photo: Photo) { self.photo = photo }

  /// The photo, or its smallest rendition of at least a length.
  ///
  /// - Parameter length: the shorter side in pixels. Nil: the photo itself.
  init(_ photo: Photo, atLeast length: Int?, in snapshot: any Snapshot) throws(InventoryError) {
    self.init(photo)
    guard let length, let size = RenditionSize(atLeast: length) else { return }
    rendition = try snapshot.rendition(of: photo.id, atLeast: size)
    isFinal = rendition?.size == size
  }
}
