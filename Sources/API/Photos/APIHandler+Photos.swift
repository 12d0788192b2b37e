import HTTP
import Inventory
import JSON

extension Route {
  static let photos = [
    Route(.get, "/v1/items/{itemId}/photos", APIHandler.photos),
    Route(
      .post, "/v1/items/{itemId}/photos", query: ["id"], body: .image,
      receive: APIHandler.receivePhoto, APIHandler.addNoPhoto),
    Route(
      .post, "/v1/items/{itemId}/photos/reorder", body: .required, APIHandler.reorderPhotos),
    Route(.get, "/v1/items/{itemId}/photos/{photoId}", query: ["size"], APIHandler.photo),
    Route(.delete, "/v1/items/{itemId}/photos/{photoId}", APIHandler.deletePhoto),
  ]
}

extension APIHandler {
  /// `POST /v1/items/{itemId}/photos`, before its body: checks the head.
  func receivePhoto(_ request: RequestContext) throws(Problem) -> any BodyReceiver {
    let (item, head, caller) = (request.path.item, request.head, request.caller)
    // If the store answers this read later, staging the first piece checks the item instead.
    let seen = session.read(
      .bounded, as: caller, { (snapshot) throws(InventoryError) in try snapshot.item(item) },
      later: { _ in })
    var failure: Problem?
    if case .failure(let error) = seen {
      // A retry may refer to a photo added before the item was deleted. Finding out needs the digest of the bytes.
      guard head.fields["idempotency-key"] != nil else { throw Problem(error) }
      failure = Problem(error)
    }
    let id = try request.parameters { $0.photo("id") ?? PhotoID(.version7()) }
    try Body.refuseCoding(of: head, .unsupportedImage)
    let ifMatch = try request.ifMatch()
    let hasKey = try IdempotencyKey(head.fields) != nil
    guard configuration.uploads.take(for: caller) else {
      throw Problem(.overloaded, "Too many photos are being uploaded.")
    }
    let errand = PhotoReceiver.Errand(
      item: item, photo: id, upload: UploadID(.version7()),
      context: WriteContext(
        caller: caller, requestID: request.context.requestID, ifMatch: ifMatch),
      hasKey: hasKey, request: request)
    return PhotoReceiver(
      errand, limit: configuration.bodies.photo, store: store, uploads: configuration.uploads,
      failure: failure)
  }

  /// `POST /v1/items/{itemId}/photos` without a body.
  func addNoPhoto(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    throw PhotoReceiver.missing
  }

  /// `GET /v1/items/{itemId}/photos`
  func photos(_ request: RequestContext) throws(Problem) -> Reply {
    let item = request.path.item
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let revision = try snapshot.item(item).revision
      return try request.response(tagged: request.context.tag(revision)) {
        (writer) throws(InventoryError) in
        let photos = try snapshot.photos(of: item)
        writer.collection("photos", photos.enumerated()) { writer, photo in
          writer.photoMembers(photo.element, index: photo.offset)
        }
      }
    }
  }

  /// `GET /v1/items/{itemId}/photos/{photoId}`: the bytes.
  func photo(_ request: RequestContext) throws(Problem) -> Reply {
    let lengths = 1...10_000
    let length: Int? = try request.parameters {
      .some(
        $0.whole("size", in: lengths, "Send \(lengths.lowerBound) to \(lengths.upperBound)."))
    }
    let store = store
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let photos = try snapshot.photos(of: request.path.item)
      guard let photo = photos.first(where: { $0.id == request.path.photo }) else {
        throw .notFound(.photo)
      }
      return request.response(
        try PhotoFile(photo, atLeast: length, in: snapshot), from: store)
    }
  }

  /// `DELETE /v1/items/{itemId}/photos/{photoId}`
  func deletePhoto(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return try write(.deletePhoto(request.path.photo, of: request.path.item), request)
  }

  /// `POST /v1/items/{itemId}/photos/reorder`
  func reorderPhotos(_ request: RequestContext) throws(Problem) -> Reply {
    let ids = try request.input(["ids"]) { _, members in
      members.rows("ids", missing: "Send an array with each photo's id once.")?
        .map { PhotoID($0.element.uuid) }
    }
    return try write(.reorderPhotos(of: request.path.item, ids), request)
  }
}

extension RequestContext {
  /// A photo's bytes, or the requested range of them.
  fileprivate func response(_ file: PhotoFile, from store: any Store) -> Response {
    let (tag, size) = (file.tag, file.byteCount)
    if let condition = try? EntityTagCondition(head.fields, "If-None-Match"),
      condition.includes(tag)
    {
      return context.response(304, of: file)
    }
    // Ranges apply to GET only (RFC 9110 §14.2).
    let range =
      head.method == .get ? ByteRange(head.fields, size: size, tag: tag) : .whole
    func source(_ bytes: Range<Int>) -> PhotoSource {
      PhotoSource(file.photo, file.rendition?.size, bytes, for: caller, in: store)
    }
    var response: Response
    switch range {
    case .whole:
      response = context.response(200, of: file)
      response.body = .stream(source(0..<size))
    case .part(let bytes):
      response = context.response(206, of: file)
      response.fields.append(
        "Content-Range", "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(size)")
      response.body = .stream(source(bytes))
    case .unsatisfiable:
      response = context.response(
        Problem(.rangeNotSatisfiable, "The photo has \(size) bytes."))
      response.fields.append("Content-Range", "bytes */\(size)")
    }
    return response
  }
}
