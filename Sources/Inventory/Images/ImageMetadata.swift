/// The kinds of image that are kept.
package enum ImageType: String, Sendable, CaseIterable {
  case jpeg, png, webp, heic, gif

  /// As IANA has registered it.
  package var mediaType: String { "image/\(rawValue)" }
}

/// What an image's own headers say of it.
package struct ImageMetadata: Sendable, Equatable {
  package var type: ImageType
  /// In pixels as they are stored, before any turning; nil where the headers do not say.
  package var width: Int?
  package var height: Int?
  /// How it is to be turned to be shown: 1 to 8 as Exif 2.32 §4.6.4 has it; nil where it is not said.
  package var orientation: Int?

  package init(
    type: ImageType, width: Int? = nil, height: Int? = nil, orientation: Int? = nil
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  /// An image has no empty sides; formats use 0 for "not said".
  mutating func setSides(_ width: Int?, _ height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return }
    self.width = width
    self.height = height
  }
}
