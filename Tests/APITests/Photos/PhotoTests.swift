import API
import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Photos of items")
struct PhotoTests {
  let service: Service
  let list: Service.MadeList
  let item: String
  var path: String { "/v1/items/\(item)/photos" }

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["Globe", "Lamp"])
    item = list.rows[0]
  }

  private func add(
    _ bytes: [UInt8] = SampleImage.jpeg(), _ query: String = "", _ fields: Fields = Fields()
  ) throws -> Answer {
    try service.send(.post, path + query, fields: fields, bytes: bytes)
  }

  private func added(_ bytes: [UInt8] = SampleImage.jpeg()) throws -> String {
    let answer = try add(bytes)
    try #require(answer.status == 201)
    return try #require(answer.text("/id"))
  }

  private func ids() throws -> [String] { try service.get(path).texts("/photos", "id") }

  private var firstPhoto: JSONValue? {
    get throws { try service.get(list.path + "/rows")["/rows/0/item/photo"] }
  }

  @Test(
    "each type is detected from the bytes, whatever the client says",
    arguments: [
      (SampleImage.jpeg(orientation: 6), "image/jpeg", JSONValue(6)),
      (SampleImage.png(), "image/png", .null), (SampleImage.gif(), "image/gif", .null),
      (SampleImage.webp(), "image/webp", .null), (SampleImage.heic(), "image/heic", JSONValue(1)),
    ])
  func types(bytes: [UInt8], type: String, orientation: JSONValue) throws {
    let made = try add(bytes, "", ["Content-Type": "text/html"])
    #expect(made.status == 201)
    #expect(
      made.keys() == [
        "id", "type", "size", "width", "height", "orientation", "index", "createdAt", "receipt",
      ])
    let id = try #require(made.text("/id"))
    #expect(made.fields["location"] == "\(path)/\(id)")
    #expect(made.fields["rowhouse-revision"] == "4")
    #expect(made["/receipt/revision"] == JSONValue(4))
    let page = try service.get(path)
    #expect(page["/count"] == JSONValue(1))
    for answer in [made, page] {
      let place = answer.keys("/photos/0").isEmpty ? "" : "/photos/0"
      #expect(answer.text(place + "/type") == type)
      #expect(answer[place + "/size"] == JSONValue(bytes.count))
      #expect(answer[place + "/width"] == JSONValue(640))
      #expect(answer[place + "/height"] == JSONValue(480))
      #expect(answer[place + "/orientation"] == orientation)
      #expect(answer[place + "/index"] == JSONValue(0))
    }
    let photo = try service.get("\(path)/\(id)")
    #expect(photo.status == 200)
    #expect(photo.body == bytes)
    #expect(photo.length == bytes.count)
    #expect(photo.fields["content-type"] == type)
    #expect(photo.fields["cache-control"] == "private, max-age=31536000, immutable")
    #expect(photo.fields["x-content-type-options"] == "nosniff")
    #expect(photo.fields["content-security-policy"] == "default-src 'none'; sandbox")
    #expect(photo.fields["accept-ranges"] == "bytes")
  }

  @Test(
    "what is no image is refused with 415",
    arguments: ["x", "GIF8", "<html><script>alert(1)</script></html>", "--boundary\r\nContent-Dis"])
  func unknown(text: String) throws {
    let answer = try add(Array(text.utf8), "", ["Content-Type": "image/jpeg"])
    #expect(answer.status == 415)
    #expect(answer.code == "unsupported_image")
    #expect(try ids().isEmpty)
    #expect(service.store.uploadCount == 0)
  }

  @Test func `an empty body, a compressed one and unknown parameters are refused`() throws {
    let empty = try add([])
    #expect(empty.status == 422)
    #expect(empty.faults == [""])
    let packed = try add(SampleImage.jpeg(), "", ["Content-Encoding": "gzip"])
    #expect(packed.status == 415)
    let query = try add(SampleImage.jpeg(), "?position=first")
    #expect(query.status == 422)
    #expect(query.faults == ["position"])
    #expect(try add(SampleImage.jpeg(), "?id=7").faults == ["id"])
    #expect(try add([], "?x=1").faults == ["x"])
    #expect(try ids().isEmpty)
  }

  @Test func `a photo larger than the limit is refused with 413`() throws {
    let service = try Service(store: service.store) { $0.bodies.photo = 1_000 }
    let image = SampleImage.jpeg(size: 1_000)
    #expect(try service.send(.post, path, bytes: image).status == 201)
    let large = try service.send(.post, path, bytes: SampleImage.jpeg(size: 1_001))
    #expect(large.status == 413)
    #expect(large.code == "body_too_large")
  }

  @Test func `a large photo is the same when it is read`() throws {
    let image = SampleImage.jpeg(size: 1 << 20 + 1)
    let id = try added(image)
    #expect(try service.get("\(path)/\(id)").body == image)
  }

  @Test func `more uploads at a time than are allowed are refused with 503`() throws {
    let service = try Service(store: service.store) { $0.uploads = Quota(1) }
    let first = try service.receiver(path)
    let second = try service.send(.post, path, bytes: SampleImage.jpeg())
    #expect(second.status == 503)
    #expect(second.fields["retry-after"] == "1")
    first.brokenOff()
    withExtendedLifetime(first) {}
  }

  @Test func `an upload that is over makes room for another`() throws {
    let service = try Service(store: service.store) { $0.uploads = Quota(1) }
    for _ in 0..<3 {
      #expect(try service.send(.post, path, bytes: SampleImage.jpeg()).status == 201)
      try service.receiver(path).brokenOff()
    }
  }

  @Test func `photos are in the order of their uploads, and the row shows the first one`()
    throws
  {
    #expect(try firstPhoto == .null)
    let before = try service.get("/v1/items/\(item)")
    #expect(before["/photos"] == [])
    let first = try added()
    let second = try added(SampleImage.png())
    #expect(try ids() == [first, second])
    #expect(try firstPhoto == .string(first))
    let after = try service.get("/v1/items/\(item)")
    #expect(after["/photos"] == .array([.string(first), .string(second)]))
    #expect(after.fields["etag"] != before.fields["etag"])
    #expect(after["/revision"] == JSONValue(5))
  }

  @Test func `only a change of the first photo reloads the row`() throws {
    let one = try add()
    #expect(one["/receipt/deltas/0/reloads"] == .array([JSONValue(0)]))
    #expect(one["/receipt/deltas/0/reloadsAfter/0/row/item/photo"] == one["/id"])
    #expect(try add()["/receipt/deltas"] == [])
    let photos = try ids()
    let order = try service.send(
      .post, path + "/reorder", ["ids": .array(photos.reversed().map { .string($0) })])
    #expect(order.status == 200)
    #expect(order["/deltas/0/reloads"] == .array([JSONValue(0)]))
    #expect(try ids() == photos.reversed())
    #expect(try firstPhoto == .string(photos[1]))
    let deleted = try service.send(.delete, "\(path)/\(photos[1])")
    #expect(deleted["/deltas/0/reloadsAfter/0/row/item/photo"] == .string(photos[0]))
    #expect(try firstPhoto == .string(photos[0]))
    #expect(try service.send(.delete, "\(path)/\(photos[1])").status == 404)
    #expect(try service.get("\(path)/\(photos[1])").status == 404)
  }

  @Test func `adding, deleting and reordering are undone, and the undoing too`() throws {
    func undo(_ answer: Answer) throws -> Answer {
      let path = answer.text("/undo") ?? answer.text("/receipt/undo")
      return try service.send(.post, try #require(path))
    }
    let image = SampleImage.png()
    let first = try added(image)
    let second = try added()
    let deleted = try service.send(.delete, "\(path)/\(first)")
    #expect(try ids() == [second])
    let restored = try undo(deleted)
    #expect(restored.status == 200)
    #expect(try ids() == [first, second])
    #expect(try firstPhoto == .string(first))
    #expect(try service.get("\(path)/\(first)").body == image)
    _ = try undo(restored)
    #expect(try ids() == [second])
    let made = try add()
    #expect(try undo(made).status == 200)
    #expect(try ids() == [second])
    let conflict = try undo(made)
    #expect(conflict.status == 409)
    #expect(conflict.code == "undo_conflict")
  }

  @Test func `the same order is no change`() throws {
    let photos = try [added(), added()]
    let answer = try service.send(
      .post, path + "/reorder", ["ids": .array(photos.map { .string($0) })])
    #expect(answer["/changed"] == .bool(false))
    #expect(answer["/revision"] == JSONValue(5))
  }

  @Test func `a new order names every photo once`() throws {
    let photos = try [added(), added(), added()]
    let stranger = PhotoID(.version7()).description
    func reorder(_ ids: [String]) throws -> Answer {
      try service.send(.post, path + "/reorder", ["ids": .array(ids.map { .string($0) })])
    }
    let answer = try reorder([photos[1], stranger, photos[1], photos[0]])
    #expect(answer.status == 409)
    #expect(answer.code == "not_the_present_photos")
    #expect(answer["/missing"] == .array([.string(photos[2])]))
    #expect(answer["/unknown"] == .array([.string(stranger)]))
    #expect(answer["/duplicate"] == .array([.string(photos[1])]))
    #expect(try service.send(.post, path + "/reorder", [:]).faults == ["/ids"])
    #expect(try service.send(.post, path + "/reorder", ["ids": [1]]).faults == ["/ids/0"])
    #expect(try ids() == photos)
  }

  @Test("another photo with a known id is refused, and the first one stays")
  func knownIDWithOtherBytes() throws {
    let id = try added()
    let answer = try add(SampleImage.png(), "?id=\(id)")
    #expect(answer.status == 409)
    #expect(answer.code == "id_taken")
    #expect(try service.get("\(path)/\(id)").fields["content-type"] == "image/jpeg")
    var similar = SampleImage.jpeg()
    similar[similar.count - 1] ^= 1
    #expect(try add(similar, "?id=\(id)").status == 409)
    #expect(service.store.uploadCount == 0)
  }

  @Test func `an id of the client's own makes an upload that is repeated do nothing`() throws {
    let id = PhotoID(.version7()).description
    let query = "?id=\(id.uppercased())"
    let made = try add(SampleImage.jpeg(), query)
    #expect(made.status == 201)
    #expect(made.text("/id") == id)
    let again = try add(SampleImage.jpeg(), query)
    #expect(again.status == 200)
    #expect(again["/receipt/changed"] == .bool(false))
    #expect(try ids() == [id])
    #expect(service.store.uploadCount == 0)
    let elsewhere = try service.send(
      .post, "/v1/items/\(list.rows[1])/photos\(query)", bytes: SampleImage.jpeg())
    #expect(elsewhere.status == 409)
    #expect(elsewhere.code == "id_taken")
    #expect(service.store.uploadCount == 0)
  }

  @Test func `an item has at most fifty photos`() throws {
    for _ in 0..<50 { _ = try added() }
    let answer = try add()
    #expect(answer.status == 409)
    #expect(answer.code == "too_many_photos")
    #expect(answer["/limit"] == JSONValue(50))
    #expect(service.store.uploadCount == 0)
  }

  @Test func `If-Match guards photos as it does their item`() throws {
    let tag = try #require(try service.get("/v1/items/\(item)").fields["etag"])
    let fields: Fields = ["If-Match": tag]
    let made = try add(SampleImage.jpeg(), "", fields)
    #expect(made.status == 201)
    let id = try #require(made.text("/id"))
    let stale = try add(SampleImage.jpeg(), "", fields)
    #expect(stale.status == 412)
    #expect(stale["/current/photos"] == .array([.string(id)]))
    #expect(try service.send(.delete, "\(path)/\(id)", fields: fields).status == 412)
    #expect(try add(SampleImage.jpeg(), "", ["If-Match": "x"]).status == 400)
    #expect(try ids() == [id])
    #expect(service.store.uploadCount == 0)
  }

  @Test func `what an item's list forbids, its photos obey`() throws {
    let id = try added()
    try service.permit(["edit": .bool(false)], in: list)
    for answer in [
      try add(), try service.send(.delete, "\(path)/\(id)"),
      try service.send(.post, path + "/reorder", ["ids": [.string(id)]]),
    ] {
      #expect(answer.status == 403)
      #expect(answer.code == "list_forbids")
    }
    let reader = try service.asked(by: .reader)
    #expect(try reader.send(.post, path, bytes: SampleImage.jpeg()).code == "role_forbids")
    #expect(try reader.get("\(path)/\(id)").status == 200)
    #expect(service.store.uploadCount == 0)
  }

  @Test func `an item in the trash answers 410, and one out of sight 404`() throws {
    let id = try added()
    let other = try service.makeList("Other")
    let root = try #require(ListID(text: other.id))
    let stranger = try service.asked(by: .owner, root: root)
    try #require(try service.send(.delete, "/v1/items/\(list.rows[1])").status == 200)
    for (service, item, status) in [(service, list.rows[1], 410), (stranger, self.item, 404)] {
      let path = "/v1/items/\(item)/photos"
      let answers = [
        try service.get(path), try service.get("\(path)/\(id)"),
        try service.send(.post, path, bytes: SampleImage.jpeg()),
        // Before anything else that is wrong.
        try service.send(.post, path + "?x=1", bytes: Array("no image".utf8)),
        try service.send(.delete, "\(path)/\(id)"),
        try service.send(.post, path + "/reorder", ["ids": [.string(id)]]),
      ]
      #expect(answers.map(\.status) == answers.map { _ in status })
    }
  }

  @Test func `a photo is found below its own item only`() throws {
    let id = try added()
    let other = "/v1/items/\(list.rows[1])/photos/\(id)"
    #expect(try service.get(other).status == 404)
    #expect(try service.send(.delete, other).status == 404)
    #expect(try service.get(path + "/reorder").status == 405)
    #expect(try service.get(path + "/7").status == 404)
    #expect(try ids() == [id])
  }

  @Test func `the list of photos has its item's validator`() throws {
    _ = try added()
    let page = try service.get(path)
    let tag = try #require(page.fields["etag"])
    #expect(try service.get(path, ["If-None-Match": tag]).status == 304)
    _ = try added()
    #expect(try service.get(path, ["If-None-Match": tag]).status == 200)
  }

  @Test func `a store that answers later gives photos, too`() throws {
    let image = SampleImage.png()
    let id = try added(image)
    let later = try Service(store: service.store, asking: LaterStore(service.store))
    #expect(try later.get("\(path)/\(id)").body == image)
    #expect(try later.send(.post, path, bytes: image).status == 201)
    #expect(try later.send(.get, "\(path)/\(PhotoID(.version7()))").status == 404)
  }

  @Test func `a failed write drops the staged bytes`() throws {
    for error in [InventoryError.storageFull, .overloaded, .outcomeUnknown] {
      let failing = try Service(store: service.store, asking: RefusingStore(error))
      let item = try failing.send(.post, path, bytes: SampleImage.jpeg())
      // Its own arrays hold no item of this id.
      #expect(item.status == 404)
    }
  }
}
