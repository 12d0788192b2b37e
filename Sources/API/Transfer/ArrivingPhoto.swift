import Inventory

/// A photo of an import whose line has come, and whose bytes are coming.
struct ArrivingPhoto {
  /// Nil: its item has it, so that its bytes are looked at and not kept once more.
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

  /// What is wrong with another line in the place of the next piece.
  var missing: String {
    "The photo in line \(line) has only \(received) of \(size) bytes. Piece \(pieces) is missing."
  }

  /// The next bytes as the store takes them; nil where it has them.
  ///
  /// - Throws: `invalid_lines` where another piece is due, or one of another size.
  mutating func take(
    _ photo: PhotoID, _ number: Int, _ bytes: [UInt8], line: Int
  ) throws(Problem) -> PhotoPiece? {
    guard photo == id, number == pieces else {
      throw .invalid(lines: [FieldError(line: line, nil, missing)])
    }
    let due = min(PhotoPiece.size, size - received)
    guard bytes.count == due else {
      throw .invalid(lines: [
        FieldError(
          line: line, .member(["base64"]),
          "This piece has \(bytes.count) bytes instead of \(due). Each piece has \(PhotoPiece.size), the last one the remaining bytes."
        )
      ])
    }
    image.take(bytes.span)
    pieces += 1
    received += due
    return upload.map { PhotoPiece(upload: $0, item: nil, number: number, bytes: bytes) }
  }

  /// The photo, as its bytes tell of it.
  ///
  /// - Throws: `invalid_lines` for what is no image.
  func record() throws(Problem) -> NumberedRecord {
    guard let facts = image.facts else {
      throw .invalid(lines: [
        FieldError(
          line: line, nil, "The bytes are not a JPEG, PNG, WebP, HEIC or GIF image.")
      ])
    }
    return NumberedRecord(
      line: line,
      record: .photo(
        TransferredPhoto(
          id: id, item: item, image: facts, size: size, createdAt: createdAt, upload: upload)))
  }
}
