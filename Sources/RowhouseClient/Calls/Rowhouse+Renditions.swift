import Foundation

#if canImport(ImageIO)
  import ImageIO
#endif

/// A size of renditions, which are smaller versions of photos: the length of the shorter side in pixels. The rendition
/// of a smaller photo has the photo's own sides.
public enum RenditionSize: Int, Sendable, CaseIterable {
  case icon = 96
  case thumbnail = 208
  case screen = 1280

  /// The most bytes of a rendition.
  public var limit: Int {
    switch self {
    case .icon: 16 << 10
    case .thumbnail: 64 << 10
    case .screen: 512 << 10
    }
  }
}

extension Rowhouse {
  /// Adds a rendition of a photo, as WebP or JPEG in the photo's proportions.
  ///
  /// The first rendition of each size is kept. Another one is refused as `rendition_taken`.
  public func addRendition(
    _ bytes: Data, _ size: RenditionSize, of photo: Photo.ID, in item: Item.ID
  ) async throws(RowhouseError) {
    var call = try Call.write(
      "PUT", "/v1/items/\(item)/photos/\(photo)/renditions/\(size.rawValue)")
    call.body = bytes
    call.contentType = "application/octet-stream"
    _ = try await perform(call)
  }

  /// Makes the renditions that a photo needs, and adds them. Call it after ``addPhoto(_:to:id:)``.
  ///
  /// Does nothing on systems without ImageIO, such as Linux, and for files that ImageIO cannot read.
  ///
  /// - Parameters:
  ///   - bytes: The photo's file.
  ///   - photo: The photo.
  ///   - item: The item that has it.
  public func addRenditions(
    of bytes: Data, as photo: Photo.ID, in item: Item.ID
  ) async throws(RowhouseError) {
    for size in RenditionSize.allCases {
      guard let rendition = size.rendition(of: bytes) else { continue }
      try await addRendition(rendition, size, of: photo, in: item)
    }
  }
}

extension RenditionSize {
  #if canImport(ImageIO)
    /// Types that every client shows. A file of another type always needs renditions.
    private static let shownTypes: Set<String> = [
      "public.jpeg", "public.png", "org.webmproject.webp", "com.compuserve.gif",
    ]

    /// The photo's rendition as JPEG. Nil if the photo needs none, or if none can be made.
    func rendition(of photo: Data) -> Data? {
      guard let source = CGImageSourceCreateWithData(photo as CFData, nil),
        let type = CGImageSourceGetType(source) as String?,
        photo.count > limit || !Self.shownTypes.contains(type),
        // A GIF may move, and renditions do not.
        self != .screen || type != "com.compuserve.gif"
      else { return nil }
      let index = CGImageSourceGetPrimaryImageIndex(source)
      guard
        let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any],
        let width = properties[kCGImagePropertyPixelWidth] as? Double,
        let height = properties[kCGImagePropertyPixelHeight] as? Double, min(width, height) > 0
      else { return nil }
      let scale = min(1, Double(rawValue) / min(width, height))
      let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceThumbnailMaxPixelSize: Int((max(width, height) * scale).rounded()),
      ]
      guard
        let image = CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary)
      else { return nil }
      for quality in [0.8, 0.6, 0.4] {
        let file = NSMutableData()
        guard
          let target = CGImageDestinationCreateWithData(
            file as CFMutableData, "public.jpeg" as CFString, 1, nil)
        else { return nil }
        CGImageDestinationAddImage(
          target, image, [kCGImageDestinationLossyCompressionQuality: quality] as CFDictionary)
        guard CGImageDestinationFinalize(target) else { return nil }
        if file.length <= limit { return file as Data }
      }
      return nil
    }
  #else
    func rendition(of photo: Data) -> Data? { nil }
  #endif
}
