import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Renditions of photos")
struct RenditionTests {
  let service: Service
  let list: Service.MadeList
  let photo: String

  init() throws {
    service = try Service()
    list = try service.makeList(things: ["Globe"])
    photo = try Self.add(SampleImage.jpeg(2_000, 1_500), to: list.rows[0], service)
  }

  private static func add(_ bytes: [UInt8], to item: String, _ service: Service) throws -> String {
    let made = try service.send(.post, "/v1/items/\(item)/photos", bytes: bytes)
    return try #require(made.fields["location"])
  }

  private func put(
    _ size: Int, _ bytes: [UInt8], of photo: String? = nil, _ fields: Fields = [:]
  ) throws -> Answer {
    try service.send(
      .put, "\(photo ?? self.photo)/renditions/\(size)", fields: fields, bytes: bytes)
  }

  @Test func `the smallest rendition that is large enough answers, else the photo`() throws {
    let original = try service.get(photo)
    let (small, large) = (SampleImage.webp(277, 208), SampleImage.jpeg(1_707, 1_280))
    let early = try service.get("\(photo)?size=208")
    #expect(early.body == original.body)
    #expect(early.fields["etag"] == original.fields["etag"])
    #expect(early.fields["cache-control"] == "private, no-cache")
    #expect(try put(208, small).status == 204)
    #expect(try put(1280, large).status == 204)
    let tag = try #require(original.fields["etag"]).dropLast()
    for (size, bytes, end, isFinal) in [
      (1, small, "-208\"", false), (96, small, "-208\"", false), (97, small, "-208\"", true),
      (208, small, "-208\"", true), (209, large, "-1280\"", true), (1280, large, "-1280\"", true),
      (1281, original.body, "\"", true), (10_000, original.body, "\"", true),
    ] {
      let answer = try service.get("\(photo)?size=\(size)")
      #expect(answer.status == 200)
      #expect(answer.body == bytes, "\(size)")
      #expect(answer.length == bytes.count)
      #expect(answer.fields["etag"] == tag + end)
      #expect(
        answer.fields["cache-control"]
          == (isFinal ? "private, max-age=31536000, immutable" : "private, no-cache"), "\(size)")
    }
    let answer = try service.get("\(photo)?size=208", ["Range": "bytes=10-19"])
    #expect(answer.status == 206)
    #expect(answer.body == Array(small[10..<20]))
    #expect(answer.fields["content-type"] == "image/webp")
    #expect(answer.fields["content-range"] == "bytes 10-19/\(small.count)")
    let known = try service.get("\(photo)?size=208", ["If-None-Match": "\(tag)-208\""])
    #expect(known.status == 304)
    let other = try service.get("\(photo)?size=208", ["If-None-Match": "\(tag)\""])
    #expect(other.status == 200)
    #expect(try service.get(photo).body == original.body)
  }

  @Test func `the first of each size stays`() throws {
    let first = SampleImage.webp(277, 208)
    let revision = try service.get("/v1/items/\(list.rows[0])")["/revision"]
    for _ in 0..<2 { #expect(try put(208, first).status == 204) }
    let other = try put(208, SampleImage.jpeg(277, 208))
    #expect(other.status == 409)
    #expect(other.code == "rendition_taken")
    #expect(try service.get("\(photo)?size=208").body == first)
    #expect(try service.get("/v1/items/\(list.rows[0])")["/revision"] == revision)
  }

  @Test func `what is no rendition of the photo is refused`() throws {
    for (size, bytes, status) in [
      (208, Array("no image".utf8), 415), (208, SampleImage.png(277, 208), 415),
      (208, SampleImage.heic(277, 208), 415), (208, [], 422),
      // Other proportions, another size, and standing.
      (208, SampleImage.webp(208, 208), 422), (208, SampleImage.webp(128, 96), 422),
      (208, SampleImage.webp(208, 277), 422), (208, SampleImage.webp(279, 208), 422),
      (208, SampleImage.jpeg(208, 277, orientation: 6), 204),
      (96, SampleImage.jpeg(128, 96, padding: 16 << 10), 422),
      (96, SampleImage.jpeg(129, 95), 204),
      (1280, SampleImage.jpeg(1_707, 1_280, padding: 512 << 10), 413),
      (1280, SampleImage.jpeg(1_706, 1_279, padding: 500 << 10), 204),
    ] {
      #expect(try put(size, bytes).status == status, "\(size) \(bytes.count)")
    }
    #expect(try put(100, SampleImage.webp(133, 100)).status == 404)
    let packed = try put(208, SampleImage.webp(277, 208), ["Content-Encoding": "gzip"])
    #expect(packed.status == 415)
    let query = try service.send(
      .put, "\(photo)/renditions/208?size=1", bytes: SampleImage.webp(277, 208))
    #expect(query.faults == ["size"])
    for size in ["0", "-1", "x", "10001", ""] {
      #expect(try service.get("\(photo)?size=\(size)").faults == ["size"])
    }
  }

  @Test func `a photo on its side is measured as it is displayed, a small one is not enlarged`()
    throws
  {
    let turned = try Self.add(
      SampleImage.jpeg(2_000, 1_500, orientation: 6), to: list.rows[0], service)
    #expect(try put(208, SampleImage.webp(277, 208), of: turned).status == 422)
    #expect(try put(208, SampleImage.webp(208, 277), of: turned).status == 204)
    let small = try Self.add(SampleImage.png(300, 100), to: list.rows[0], service)
    #expect(try put(208, SampleImage.webp(624, 208), of: small).status == 422)
    #expect(try put(208, SampleImage.webp(300, 100), of: small).status == 204)
  }

  @Test func `they obey what the photos of the list obey, and return with a deleted photo`() throws
  {
    let bytes = SampleImage.webp(277, 208)
    #expect(try put(208, bytes, ["If-Match": "\"1\""]).status == 412)
    #expect(try put(208, bytes).status == 204)
    let deleted = try service.send(.delete, photo)
    #expect(try put(96, SampleImage.webp(128, 96)).status == 404)
    #expect(try service.get("\(photo)?size=208").status == 404)
    _ = try service.send(.post, try #require(deleted.text("/undo")))
    #expect(try service.get("\(photo)?size=208").body == bytes)
    try service.permit(["edit": .bool(false)], in: list)
    #expect(try put(96, SampleImage.webp(128, 96)).code == "list_forbids")
    let reader = try service.asked(by: .reader)
    let asked = try reader.send(.put, "\(photo)/renditions/96", bytes: SampleImage.webp(128, 96))
    #expect(asked.code == "role_forbids")
    #expect(try reader.get("\(photo)?size=208").body == bytes)
  }
}
