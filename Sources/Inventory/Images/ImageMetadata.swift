/// The accepted types of images.
package enum ImageType: String, Sendable, CaseIterable {
  case jpeg, png, webp, heic, gif

  /// The media type registered with IANA.
  package var mediaType: String { "image/\(rawValue)" }
}

/// The properties of an image, from its own headers.
package struct ImageMetadata: Sendable, Equatable {
  package var type: ImageType
  /// The width in stored pixels, before turning; nil if the headers do not have it.
  package var width: Int?
  package var height: Int?
  /// The orientation for display, 1 to 8 (Exif 2.32 §4.6.4); nil if not given.
  package var orientation: Int?

  package init(
    type: ImageType, width: Int? = nil, height: Int? = nil, orientation: Int? = nil
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  /// The width and height as displayed, after turning. Nil if the headers do not have them.
  package var displayedSides: (width: Int, height: Int)? {
    guard let width, let height else { return nil }
    // From 5 on, a quarter turn is needed.
    return (orientation ?? 1) < 5 ? (width, height) : (height, width)
  }

  /// Sets both sides, unless one is 0. Formats use 0 for "unknown".
  mutating func setSides(_ width: Int?, _ height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return }
    self.width = width
    self.height = height
  }
}
