/// An image of an item. Its bytes never change.
package struct Photo: Sendable, Equatable {
  package let id: PhotoID
  package var image: ImageMetadata
  /// The size in bytes.
  package var size: Int
  /// The revision that added it. No other bytes ever have this id and this revision.
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

/// A photo to add, whose bytes have been staged.
package struct NewPhoto: Sendable {
  package var id: PhotoID
  package var upload: UploadID
  package var image: ImageMetadata
  /// The number of staged bytes.
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
  /// Nil for an import, whose records name the item.
  package var item: ItemID?
  /// The number of the piece, from 0, without gaps.
  package var number: Int
  /// `size` bytes. Only the last piece may have fewer.
  package var bytes: [UInt8]

  /// Small enough for a short write.
  package static let size = 64 << 10

  package init(upload: UploadID, item: ItemID?, number: Int, bytes: [UInt8]) {
    self.upload = upload
    self.item = item
    self.number = number
    self.bytes = bytes
  }
}
