import API
import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("What an Idempotency-Key does where a body streams")
struct StreamedRetryTests {
  let service: Service
  let item: String
  var photos: String { "/v1/items/\(item)/photos" }

  init() throws {
    service = try Service()
    item = try service.makeThing("Globe", in: "root")
  }

  private func send(
    _ target: String, _ bytes: [UInt8], key: String = "k", _ more: Fields = Fields(),
    to other: Service? = nil
  ) throws -> Answer {
    var fields = more
    fields.append("Idempotency-Key", key)
    if target.hasPrefix("/v1/import") { fields.append("Content-Type", "application/x-ndjson") }
    return try (other ?? service).send(.post, target, fields: fields, bytes: bytes)
  }

  private var photoCount: JSONValue? { get throws { try service.get(photos)["/count"] } }

  @Test func `a photo that is sent again is answered as the first time, and there once`() throws {
    let bytes = SampleImage.jpeg(size: 150_000)
    let first = try send(photos, bytes)
    let again = try send(photos, bytes)
    #expect(first.status == 201)
    #expect(first.fields["idempotency-replayed"] == nil)
    #expect(again.status == 201)
    #expect(again.body == first.body)
    #expect(again.fields["location"] == first.fields["location"])
    #expect(again.fields["idempotency-replayed"] == "true")
    #expect(try photoCount == 1)
    #expect(service.store.uploadCount == 0)
    let other = try send(photos, bytes, key: "l")
    #expect(other.fields["idempotency-replayed"] == nil)
    #expect(try photoCount == 2)
  }

  @Test func `other bytes, or another query, under the key are refused`() throws {
    let bytes = SampleImage.jpeg(size: 150_000)
    _ = try send(photos, bytes)
    var changed = bytes
    changed[149_999] ^= 1
    for answer in [
      try send(photos, changed), try send(photos, bytes.dropLast()),
      try send("\(photos)?id=\(RowID(.version7()))", bytes),
    ] {
      #expect(answer.status == 422)
      #expect(answer.code == "idempotency_key_reused")
    }
    #expect(try photoCount == 1)
    #expect(service.store.uploadCount == 0)
  }

  @Test func `it is looked up before what the photo itself has made stale or full`() throws {
    let tag = try #require(try service.get("/v1/items/\(item)").fields["etag"])
    let bytes = SampleImage.png()
    let first = try send(photos, bytes, ["If-Match": tag])
    #expect(first.status == 201)
    for number in 1..<Limits.photosOfItem {
      _ = try send(photos, SampleImage.png(100 + number), key: "\(number)")
    }
    let again = try send(photos, bytes, ["If-Match": tag])
    #expect(again.status == 201)
    #expect(again.body == first.body)
    let stale = try send(photos, bytes, key: "new", ["If-Match": tag])
    #expect(stale.status == 412)
    #expect(try send(photos, bytes, key: "newer").code == "too_many_photos")
    #expect(try send(photos, SampleImage.gif()).code == "idempotency_key_reused")
    #expect(service.store.uploadCount == 0)
    #expect(try photoCount == JSONValue(Limits.photosOfItem))
  }

  @Test func `what is refused is not kept`() throws {
    #expect(try send(photos, Array("no image at all".utf8)).status == 415)
    #expect(try send(photos, SampleImage.png()).status == 201)
    let malformed = try service.send(
      .post, photos, fields: ["Idempotency-Key": "a b"], bytes: SampleImage.png())
    #expect(malformed.status == 400)
    #expect(try photoCount == 1)
  }

  private func export() throws -> [UInt8] { try service.download("/v1/export").body }

  /// An export of this inventory, with a photo and one thing more.
  private func other() throws -> [UInt8] {
    let other = try Service()
    let list = try other.makeList("Shelf", things: ["Lamp"])
    _ = try other.send(
      .post, "/v1/items/\(list.rows[0])/photos", bytes: SampleImage.jpeg(size: 100_000))
    return try other.download("/v1/export?listId=\(list.id)").body
  }

  @Test(arguments: ["/v1/import", "/v1/import?mode=replace"])
  func `an import that is sent again is answered as the first time, and made once`(
    path: String
  ) throws {
    let bytes = try other()
    let first = try send(path, bytes)
    #expect(first.status == 200)
    #expect(first["/photos"] == 1)
    #expect(first.fields["idempotency-replayed"] == nil)
    // What has been done since stays: nothing is put in its place again.
    let since = try service.makeThing("Since", in: "root")
    let before = try export()
    let again = try send(path, bytes)
    #expect(again.status == 200)
    #expect(again.body == first.body)
    #expect(again.fields["idempotency-replayed"] == "true")
    #expect(again.fields["rowhouse-revision"] == first.fields["rowhouse-revision"])
    #expect(try export() == before)
    #expect(try service.get("/v1/items/\(since)").status == 200)
    let reused = try send(path, bytes + Array("\n".utf8))
    #expect(reused.status == 422)
    #expect(reused.code == "idempotency_key_reused")
    #expect(try export() == before)
    #expect(service.store.uploadCount == 0)
  }

  @Test func `an import of a tree that is large is not read twice`() throws {
    let source = try Service()
    let list = try source.makeList("Many")
    let items = (0..<10_001).map {
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\($0)"))
    }
    for part in [items[..<5_000], items[5_000...]] {
      _ = try source.store.perform(
        .appendItems(Array(part), to: .id(try #require(ListID(text: list.id)))),
        WriteContext(caller: .local, requestID: "test")
      ).get()
    }
    let bytes = try source.download("/v1/export?listId=\(list.id)").body
    let first = try send("/v1/import", bytes)
    #expect(first["/created"] == 10_002)
    // Without the key it would be refused by now.
    #expect(try send("/v1/import", bytes, key: "l").code == "too_many_rows")
    let again = try send("/v1/import", bytes)
    #expect(again.status == 200)
    #expect(again.body == first.body)
  }

  @Test func `an import that was refused is read again`() throws {
    let bytes = try other()
    #expect(try send("/v1/import", bytes.dropLast(3)).code == "invalid_lines")
    let trial = try send("/v1/import?dryRun=true", bytes)
    #expect(trial["/created"] == 2)
    #expect(try send("/v1/import?dryRun=true", bytes).fields["idempotency-replayed"] == nil)
    #expect(try send("/v1/import", bytes)["/created"] == 2)
  }
}
