import HTTP
import Inventory

extension Route {
  static let renditions = [
    Route(
      .put, "/v1/items/{itemId}/photos/{photoId}/renditions/{size}", body: .rendition,
      APIHandler.addRendition)
  ]
}

extension APIHandler {
  /// `PUT /v1/items/{itemId}/photos/{photoId}/renditions/{size}`
  func addRendition(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    try Body.refuseCoding(of: request.head, .unsupportedImage)
    let (size, bytes) = (request.path.size, request.body)
    guard !bytes.isEmpty else { throw PhotoReceiver.missing }
    var reader = ImageReader()
    reader.take(bytes.span)
    guard let image = reader.facts, NewRendition.types.contains(image.type) else {
      throw Problem(.unsupportedImage, "Send the bytes of a WebP or JPEG file.")
    }
    guard bytes.count <= size.limit else {
      throw .invalid([
        .member([], "A rendition of the size \(size.rawValue) has at most \(size.limit) bytes.")
      ])
    }
    let new = NewRendition(size: size, image: image, bytes: bytes)
    return try write(
      .addRendition(new, of: request.path.photo, in: request.path.item), showing: .nothing, request)
  }
}
