import Inventory
import JSON

extension JSONWriter {
  /// Writes the members of a photo.
  mutating func photoMembers(_ photo: Photo, index: Int) {
    member("id", photo.id)
    member("type", photo.image.type.mediaType)
    imageMembers(photo.image, size: photo.size)
    member("index", index)
    member("createdAt", photo.createdAt)
  }

  /// Writes a photo's size in bytes, its dimensions and its orientation.
  mutating func imageMembers(_ image: ImageMetadata, size: Int) {
    member("size", size)
    member("width", image.width)
    member("height", image.height)
    member("orientation", image.orientation)
  }
}
