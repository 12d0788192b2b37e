import FoundationEssentials
import Inventory

/// A photo of a history; its bytes go by its number.
package struct NodePhoto: Sendable, Equatable {
  package var type: String
  package var size: Int
  package var width: Int?
  /// Whether an import brings its bytes; it need not where the item has it.
  package var isSent: Bool

  package init(type: String = "jpeg", size: Int, width: Int? = nil, isSent: Bool = true) {
    self.type = type
    self.size = size
    self.width = width
    self.isSent = isSent
  }

  /// What its bytes say, as far as they do.
  private func image(_ number: Int) -> ImageMetadata {
    var reader = ImageReader()
    reader.take(bytes(number).span)
    return reader.facts ?? ImageMetadata(type: .jpeg)
  }

  /// An image, or the beginning of one, and bytes that are not those of another number.
  private func bytes(_ number: Int) -> [UInt8] {
    let width = width ?? 1
    var bytes =
      switch type {
      case "png": SampleImage.png(width, width * 2, orientation: 3)
      case "heic": SampleImage.heic(width, width * 2, [.turn(1)])
      default: SampleImage.jpeg(width, width * 2, orientation: 6)
      }
    if self.width == nil { bytes.removeLast(bytes.count - 24) }
    let start = min(bytes.count, size)
    return bytes.prefix(size)
      + (start..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ number) }
  }

  func newPhoto(_ number: Int, _ upload: UploadID, _ names: NodeNames) -> NewPhoto {
    NewPhoto(id: names.photo(number), upload: upload, image: image(number), size: size)
  }

  func transferred(
    _ number: Int, of item: ItemID, _ upload: UploadID, _ names: NodeNames
  ) -> TransferredPhoto {
    TransferredPhoto(
      id: names.photo(number), item: item, image: image(number), size: size,
      createdAt: Timestamp(seconds: 5), upload: isSent ? upload : nil)
  }

  /// The bytes as an upload would bring them.
  func pieces(
    of number: Int, _ upload: UploadID, to item: ItemID?
  ) -> [PhotoPiece] {
    let bytes = bytes(number)
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
    switch self {
    case .addPhoto(let number, let item, let photo):
      return photo.pieces(of: number, upload, to: names.item(item))
    case .merge(let records, _), .stage(_, _, let records):
      // A line that is there twice has its bytes once: only the first is looked at.
      var seen: Set<Int> = []
      return records.flatMap { record -> [PhotoPiece] in
        guard case .photo(let photo) = record.content, seen.insert(record.id).inserted,
          photo.isSent
        else { return [] }
        return photo.pieces(of: record.id, upload.part(record.id), to: nil)
      }
    default: return []
    }
  }
}

extension NodeCommand {
  /// The command, with what it takes staged in each of these stores.
  package func staged(
    in stores: [any Store], _ names: NodeNames, _ context: WriteContext
  ) -> Command {
    let upload = UploadID(.version7())
    for piece in pieces(of: upload, names) {
      for store in stores { _ = store.keep(piece, context) }
    }
    return command(names, upload)
  }
}

extension UploadID {
  /// Another one for each number.
  func part(_ number: Int) -> UploadID {
    var bytes = uuid.uuid
    bytes.14 ^= UInt8(truncatingIfNeeded: number >> 8)
    bytes.15 ^= UInt8(truncatingIfNeeded: number)
    bytes.13 ^= UInt8(truncatingIfNeeded: number >> 16)
    return UploadID(UUID(uuid: bytes))
  }
}
