import Inventory
import Support

extension Store {
  /// Stages bytes for a photo of an import.
  func upload(_ bytes: [UInt8], _ context: WriteContext) throws -> UploadID {
    let upload = UploadID(.version7())
    for start in stride(from: 0, to: bytes.count, by: PhotoPiece.size) {
      let piece = PhotoPiece(
        upload: upload, item: nil, number: start / PhotoPiece.size,
        bytes: Array(bytes[start...].prefix(PhotoPiece.size)))
      _ = try keep(piece, context).get()
    }
    return upload
  }
}
