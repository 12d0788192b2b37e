import Inventory

/// A photo of an import after its line, while its bytes arrive.
struct ArrivingPhoto {
  /// Nil if the item already has the photo; its bytes are then checked but not stored.
  let upload: UploadID?
  private let line: Int
  private let id: PhotoID
  private let item: ItemID
  private let size: Int
  private let createdAt: Timestamp
  private var image = ImageReader()
  private var pieces = 0
  private var received = 0

  init(
    _ id: PhotoID, of item: ItemID, size: Int, createdAt: Timestamp, upload: UploadID?, line: Int
  ) {
    self.upload = upload
    self.id = id
    self.item = item
    self.size = size
    self.createdAt = createdAt
    self.line = line
  }

  var isWhole: Bool { received == size }

  /// The error for another line in the place of the next piece.
  var missing: String {
    "The photo in line \(line) has only \(received) of \(size) bytes. Piece \(pieces) is missing."
  }

  /// The next bytes to stage. Nil if the store already has them.
  ///
  /// - Throws: `invalid_lines` for a piece of another number or size.
  mutating func take(
    _ photo: PhotoID, _ number: Int, _ bytes: [UInt8], line: Int
  ) throws(Problem) -> PhotoPiece? {
    guard photo == id, number == pieces else {
      throw .invalid(line: line, missing)
    }
    let due = min(PhotoPiece.size, size - received)
    guard bytes.count == due else {
      throw .invalid(
        line: line,
        "This piece has \(bytes.count) bytes instead of \(due). Each piece has \(PhotoPiece.size), the last one the remaining bytes.",
        in: .member(["base64"])
      )
    }
    image.take(bytes.span)
    pieces += 1
    received += due
    return upload.map { PhotoPiece(upload: $0, item: nil, number: number, bytes: bytes) }
  }

  /// The photo's record, with the facts from its bytes.
  ///
  /// - Throws: `invalid_lines` if the bytes are not an image.
  func record() throws(Problem) -> NumberedRecord {
    guard let facts = image.facts else {
      throw .invalid(line: line, "The bytes are not a JPEG, PNG, WebP, HEIC or GIF image.")
    }
    return NumberedRecord(
      line: line,
      record: .photo(
        TransferredPhoto(
          id: id, item: item, image: facts, size: size, createdAt: createdAt, upload: upload)))
  }
}
