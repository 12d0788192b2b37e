/// An image that belongs to an item; its bytes never change.
package struct Photo: Sendable, Equatable {
  package let id: PhotoID
  package var image: ImageMetadata
  /// In bytes.
  package var size: Int
  /// The change that added it: no other bytes ever have this id and this revision.
  package var revision: Revision
  package var createdAt: Timestamp

  package init(
    id: PhotoID, image: ImageMetadata, size: Int, revision: Revision, createdAt: Timestamp
  ) {
    self.id = id
    self.image = image
    self.size = size
    self.revision = revision
    self.createdAt = createdAt
  }
}

/// A photo to be added, whose bytes have been staged.
package struct NewPhoto: Sendable {
  package var id: PhotoID
  package var upload: UploadID
  package var image: ImageMetadata
  /// In bytes: as many as were staged.
  package var size: Int

  package init(id: PhotoID, upload: UploadID, image: ImageMetadata, size: Int) {
    self.id = id
    self.upload = upload
    self.image = image
    self.size = size
  }
}

/// The next bytes of an upload.
package struct PhotoPiece: Sendable {
  package var upload: UploadID
  /// Nil: an import will tell.
  package var item: ItemID?
  /// From 0 on, without holes.
  package var number: Int
  /// `size` of them, fewer in the last piece only.
  package var bytes: [UInt8]

  /// Small enough for a write of it to be short.
  package static let size = 64 << 10

  package init(upload: UploadID, item: ItemID?, number: Int, bytes: [UInt8]) {
    self.upload = upload
    self.item = item
    self.number = number
    self.bytes = bytes
  }
}
