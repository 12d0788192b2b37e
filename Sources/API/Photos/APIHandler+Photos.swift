import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `POST /v1/items/{itemId}/photos`: how the bytes are taken; what can be told from the head is answered.
  func admitPhoto(
    to item: ItemID, _ head: RequestHead, _ route: RouteDescription, _ audience: Audience
  ) -> Admission {
    do throws(Problem) {
      return .stream(try receivePhoto(for: item, head, route, audience))
    } catch {
      return .respond(audience.response(error))
    }
  }

  private func receivePhoto(
    for item: ItemID, _ head: RequestHead, _ route: RouteDescription, _ audience: Audience
  ) throws(Problem) -> PhotoReceiver {
    let caller = audience.caller
    // A store that answers later is asked again with the first piece.
    let seen = session.read(
      .bounded, { (snapshot) throws(InventoryError) in try snapshot.item(item, for: caller) },
      later: { _ in })
    var failure: Problem?
    if case .failure(let error) = seen {
      // With a key it may have been added before the item went: that is looked up once the bytes are known.
      guard head.fields["idempotency-key"] != nil else { throw Problem(error) }
      failure = Problem(error)
    }
    let faults = Faults()
    let query = try Query(head, known: route.parameters, faults)
    let id = query.photo("id")
    try faults.check()
    try Body.refuseCoding(of: head, .unsupportedImage)
    let ifMatch = try EntityTagCondition(head.fields, "If-Match")?.ifMatch
    let hasKey = try IdempotencyKey(head.fields) != nil
    guard configuration.uploads.take() else {
      throw Problem(.overloaded, "Too many photos are being uploaded.")
    }
    let errand = PhotoReceiver.Errand(
      item: item, photo: id ?? PhotoID(.version7()), upload: UploadID(.version7()),
      context: WriteContext(caller: caller, requestID: audience.requestID, ifMatch: ifMatch),
      hasKey: hasKey, head: head, route: route, audience: audience)
    return PhotoReceiver(
      errand, limit: configuration.bodies.photo, store: store, uploads: configuration.uploads,
      failure: failure)
  }

  /// `POST /v1/items/{itemId}/photos` without a body.
  func addNoPhoto(_ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    throw PhotoReceiver.missing
  }

  /// `GET /v1/items/{itemId}/photos`
  func photos(of item: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return read(.bounded, exchange) { (snapshot) throws(InventoryError) in
      let revision = try snapshot.item(item, for: exchange.caller).revision
      guard !exchange.holds(revision) else { return exchange.audience.notModified(revision) }
      let photos = try snapshot.photos(of: item, for: exchange.caller)
      var writer = JSONWriter(capacity: 256 + photos.count * 256)
      writer.beginObject()
      writer.key("count")
      writer.int(photos.count)
      writer.key("photos")
      writer.beginArray()
      for (index, photo) in photos.enumerated() {
        writer.beginObject()
        writer.photoMembers(photo, index: index)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      return exchange.audience.response(json: writer.finish(), revision: revision)
    }
  }

  /// `GET /v1/items/{itemId}/photos/{photoId}`: the bytes.
  func photo(_ id: PhotoID, of item: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    let store = store
    @Sendable func answer(
      _ result: Result<Photo, InventoryError>
    ) -> (response: Response, source: PhotoSource?) {
      switch result {
      case .success(let photo): exchange.answer(photo, from: store)
      case .failure(let error): (exchange.audience.response(exchange.problem(error)), nil)
      }
    }
    let result = session.read(
      .bounded, for: exchange.requester,
      { (snapshot) throws(InventoryError) in
        let photos = try snapshot.photos(of: item, for: exchange.caller)
        guard let photo = photos.first(where: { $0.id == id }) else { throw .notFound(.photo) }
        return photo
      },
      later: { result in
        let (response, source) = answer(store.released(result, to: exchange.caller))
        if let source {
          exchange.responder.send(response, source)
        } else {
          exchange.responder.send(response)
        }
      })
    guard let result else { return .deferred }
    let (response, source) = answer(result)
    return source.map { .stream(response, $0) } ?? .response(response)
  }

  /// `DELETE /v1/items/{itemId}/photos/{photoId}`
  func deletePhoto(_ id: PhotoID, of item: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    try exchange.refuseParameters()
    return try write(.deletePhoto(id, of: item), exchange)
  }

  /// `POST /v1/items/{itemId}/photos/reorder`
  func reorderPhotos(of item: ItemID, _ exchange: Exchange) throws(Problem) -> Reply {
    let faults = Faults()
    _ = try exchange.query(faults)
    let members = Members(try exchange.body(), known: ["ids"], faults)
    if members["ids"] == nil {
      members.note("ids", "Send an array with each photo's id once.")
    }
    let ids = members.rows("ids") ?? []
    try faults.check()
    return try write(
      .reorderPhotos(of: item, ids.map { PhotoID($0.element.uuid) }), exchange)
  }
}

extension Exchange {
  /// What a request for a photo is answered with, and where the body comes from, if there is one.
  fileprivate func answer(
    _ photo: Photo, from store: any Store
  ) -> (response: Response, source: PhotoSource?) {
    let tag = audience.tag(of: photo)
    if let condition = try? EntityTagCondition(head.fields, "If-None-Match"),
      condition.includes(tag)
    {
      return (audience.response(304, of: photo), nil)
    }
    // RFC 9110 §14.2: ranges are for GET alone.
    let range =
      head.method == .get ? ByteRange(head.fields, size: photo.size, tag: tag) : .whole
    switch range {
    case .whole:
      return (
        audience.response(200, of: photo),
        PhotoSource(photo.id, 0..<photo.size, for: caller, in: store)
      )
    case .part(let bytes):
      var response = audience.response(206, of: photo)
      response.fields.append(
        "Content-Range", "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(photo.size)")
      return (response, PhotoSource(photo.id, bytes, for: caller, in: store))
    case .unsatisfiable:
      var response = audience.response(
        Problem(.rangeNotSatisfiable, "The photo has \(photo.size) bytes."))
      response.fields.append("Content-Range", "bytes */\(photo.size)")
      return (response, nil)
    }
  }
}
