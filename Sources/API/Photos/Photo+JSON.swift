import Inventory
import JSON

extension JSONWriter {
  /// What stands between the braces of a photo.
  mutating func photoMembers(_ photo: Photo, index: Int) {
    member("id", photo.id)
    member("type", photo.image.type.mediaType)
    imageMembers(photo.image, size: photo.size)
    member("index", index)
    member("createdAt", photo.createdAt)
  }

  /// What is told of a photo's bytes besides their type.
  mutating func imageMembers(_ image: ImageMetadata, size: Int) {
    member("size", size)
    member("width", image.width)
    member("height", image.height)
    member("orientation", image.orientation)
  }
}
