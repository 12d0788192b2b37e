import Inventory
import JSON

extension JSONWriter {
  /// What stands between the braces of a photo.
  mutating func photoMembers(_ photo: Photo, index: Int) {
    key("id")
    id(photo.id)
    key("type")
    string(photo.image.type.mediaType)
    key("size")
    int(photo.size)
    key("width")
    int(photo.image.width)
    key("height")
    int(photo.image.height)
    key("orientation")
    int(photo.image.orientation)
    key("index")
    int(index)
    key("createdAt")
    time(photo.createdAt)
  }
}
