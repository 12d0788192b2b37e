import Inventory
import JSON

extension JSONWriter {
  /// What stands between the braces of a photo.
  mutating func photoMembers(_ photo: Photo, index: Int) {
    key("id")
    id(photo.id)
    key("type")
    string(photo.image.type.mediaType)
    imageMembers(photo.image, size: photo.size)
    key("index")
    int(index)
    key("createdAt")
    time(photo.createdAt)
  }

  /// What is told of a photo's bytes besides their type.
  mutating func imageMembers(_ image: ImageFacts, size: Int) {
    key("size")
    int(size)
    key("width")
    int(image.width)
    key("height")
    int(image.height)
    key("orientation")
    int(image.orientation)
  }
}
