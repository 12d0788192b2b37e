import Inventory

/// A photo of a history; its bytes go by its number.
package struct NodePhoto: Sendable, Equatable {
  package var type: String
  package var size: Int
  package var width: Int?

  package init(type: String = "jpeg", size: Int, width: Int? = nil) {
    self.type = type
    self.size = size
    self.width = width
  }

  func newPhoto(_ number: Int, _ upload: UploadID, _ names: NodeNames) -> NewPhoto {
    NewPhoto(
      id: names.photo(number), upload: upload,
      image: ImageFacts(
        type: ImageType(rawValue: type) ?? .jpeg, width: width, height: width.map { $0 * 2 },
        orientation: width == nil ? nil : 6),
      size: size)
  }

  /// The bytes as an upload would bring them.
  func pieces(
    of number: Int, _ upload: UploadID, to item: ItemID
  ) -> [PhotoPiece] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ number) }
    return stride(from: 0, to: size, by: PhotoPiece.size).map { start in
      PhotoPiece(
        upload: upload, item: item, number: start / PhotoPiece.size,
        bytes: Array(bytes[start..<min(start + PhotoPiece.size, size)]))
    }
  }
}

extension NodeCommand {
  /// What has to be staged before the command can be run.
  func pieces(of upload: UploadID, _ names: NodeNames) -> [PhotoPiece] {
    guard case .addPhoto(let number, let item, let photo) = self else { return [] }
    return photo.pieces(of: number, upload, to: names.item(item))
  }
}
