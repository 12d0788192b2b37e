/// The sizes of renditions: the length of the shorter side in pixels. A photo is never enlarged, so the rendition of a
/// smaller photo has the photo's own sides.
package enum RenditionSize: Int, Sendable, CaseIterable {
  case icon = 96
  case thumbnail = 208
  case screen = 1280

  /// The smallest size of at least this length; nil if every size is smaller.
  package init?(atLeast length: Int) {
    guard let size = Self.allCases.first(where: { $0.rawValue >= length }) else { return nil }
    self = size
  }

  /// The most bytes of a rendition.
  package var limit: Int {
    switch self {
    case .icon: 16 << 10
    case .thumbnail: 64 << 10
    case .screen: 512 << 10
    }
  }

  /// The sides of a photo's rendition. Nil if the photo's file does not state its sides.
  package func sides(of photo: ImageMetadata) -> (width: Int, height: Int)? {
    guard let (width, height) = photo.displayedSides else { return nil }
    let shorter = min(width, height)
    guard shorter > rawValue else { return (width, height) }
    func scaled(_ side: Int) -> Int { (side * rawValue + shorter / 2) / shorter }
    return (scaled(width), scaled(height))
  }
}

/// A smaller version of a photo, made by a client. Its bytes never change.
package struct Rendition: Sendable, Equatable {
  package var size: RenditionSize
  package var type: ImageType
  /// The size in bytes.
  package var byteCount: Int

  package init(size: RenditionSize, type: ImageType, byteCount: Int) {
    self.size = size
    self.type = type
    self.byteCount = byteCount
  }
}

/// A rendition to add.
package struct NewRendition: Sendable {
  package let size: RenditionSize
  package let image: ImageMetadata
  package let bytes: [UInt8]

  /// The accepted types. Every client can show them.
  package static let types: [ImageType] = [.webp, .jpeg]

  /// - Parameter image: the metadata of the bytes.
  package init(size: RenditionSize, image: ImageMetadata, bytes: [UInt8]) {
    self.size = size
    self.image = image
    self.bytes = bytes
  }

  /// The width and height for display.
  ///
  /// - Throws: `invalid` unless it has the proportions of the photo and the sides of its size. One pixel more or less
  ///   is accepted, because clients round differently.
  package func sides(as photo: ImageMetadata) throws(InventoryError) -> (width: Int, height: Int) {
    guard let sides = image.displayedSides else {
      throw .invalid([FieldError([], "The image does not state its width and height.")])
    }
    guard let due = size.sides(of: photo) else {
      guard min(sides.width, sides.height) <= size.rawValue + 1 else {
        throw .invalid([
          FieldError([], "The shorter side must have at most \(size.rawValue) pixels.")
        ])
      }
      return sides
    }
    guard abs(sides.width - due.width) <= 1, abs(sides.height - due.height) <= 1 else {
      throw .invalid([
        FieldError(
          [],
          "The image has \(sides.width) × \(sides.height) pixels. Send \(due.width) × \(due.height) pixels."
        )
      ])
    }
    return sides
  }
}
