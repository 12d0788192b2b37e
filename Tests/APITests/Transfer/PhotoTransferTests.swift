import API
import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Photos in exports, and in their imports")
struct PhotoTransferTests {
  let source: Service
  let list: Service.MadeList
  let globe: String

  init() throws {
    source = try Service()
    list = try source.makeList("Shelf", things: ["Globe", "Lamp"])
    globe = list.rows[0]
  }

  /// What the photos of the globe are: of all types, of one piece and of more, out of their first order.
  private static let images: [[UInt8]] = [
    SampleImage.jpeg(orientation: 6), SampleImage.png(), SampleImage.webp(), SampleImage.heic(),
    SampleImage.gif(), SampleImage.jpeg(size: PhotoPiece.size),
    SampleImage.jpeg(size: PhotoPiece.size + 1), SampleImage.jpeg(size: 200_000),
  ]

  private func add(_ image: [UInt8], to item: String, of service: Service) throws -> String {
    let answer = try service.send(.post, "/v1/items/\(item)/photos", bytes: image)
    try #require(answer.status == 201)
    return try #require(answer.text("/id"))
  }

  private func addAll() throws {
    let ids = try Self.images.map { try add($0, to: globe, of: source) }
    let order = ids.reversed().map { JSONValue.string($0) }
    let answer = try source.send(
      .post, "/v1/items/\(globe)/photos/reorder", ["ids": .array(order)])
    try #require(answer.status == 200)
  }

  private func export(_ service: Service, _ query: String = "") throws -> String {
    let answer = try service.download("/v1/export" + query)
    try #require(answer.status == 200)
    return String(decoding: answer.body, as: UTF8.self)
  }

  private func send(_ text: String, to service: Service, _ query: String = "") throws -> Answer {
    try service.send(.post, "/v1/import" + query, text: text, type: "application/x-ndjson")
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  private func photos(_ item: String, in service: Service) throws -> [JSONValue] {
    guard case .array(let photos)? = try service.get("/v1/items/\(item)/photos")["/photos"] else {
      return []
    }
    return photos
  }

  @Test func `photos arrive unchanged: bytes, ids, order, properties and times`()
    throws
  {
    try addAll()
    let exported = try export(source)
    let target = try Service()
    let answer = try send(exported, to: target, "?mode=replace")
    #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    #expect(answer["/photos"] == JSONValue(Self.images.count))
    #expect(try export(target) == exported)
    let there = try photos(globe, in: target)
    #expect(try there == photos(globe, in: source))
    #expect(there.count == Self.images.count)
    let ids = try target.get("/v1/items/\(globe)/photos").texts("/photos", "id")
    for (id, image) in zip(ids, Self.images.reversed()) {
      #expect(try target.get("/v1/items/\(globe)/photos/\(id)").body == image)
    }
    #expect(try target.get("\(list.path)/rows")["/rows/0/item/photo"] == .string(ids[0]))
    #expect(target.store.uploadCount == 0)
  }

  @Test func `an export of a part has that part's photos, and a token's its root's`() throws {
    let other = try source.makeList("Other", things: ["Vase"])
    _ = try add(SampleImage.png(), to: globe, of: source)
    _ = try add(SampleImage.gif(), to: other.rows[0], of: source)
    let scoped = try source.asked(by: .reader, root: ListID(text: other.id))
    for exported in [try export(source, "?listId=\(other.id)"), try export(scoped)] {
      let types = lines(exported).map { Answer(json: $0).text("/type") }
      #expect(types == [nil, "list", "item", "photo", "piece", nil])
      #expect(Answer(json: lines(exported)[3]).text("/mediaType") == "image/gif")
    }
  }

  @Test func `no line is longer than a piece and its other members`() throws {
    _ = try add(SampleImage.jpeg(size: 500_000), to: globe, of: source)
    let exported = lines(try export(source))
    #expect(exported.allSatisfy { $0.utf8.count < 90_000 })
    #expect(Answer(json: exported[exported.count - 1])["/photos"] == 1)
  }

  @Test func `in a merge, existing photos stay and others are appended`() throws {
    let first = try add(SampleImage.jpeg(size: 100_000), to: globe, of: source)
    let exported = try export(source, "?listId=\(list.id)")
    let second = try add(SampleImage.gif(), to: globe, of: source)
    let same = try send(exported, to: source)
    #expect(same["/created"] == 0)
    #expect(same["/updated"] == 0)
    #expect(same["/receipt/changed"] == false)
    #expect(source.store.uploadCount == 0)
    func ids() throws -> [String] {
      try source.get("/v1/items/\(globe)/photos").texts("/photos", "id")
    }
    #expect(try ids() == [first, second])

    // One that the item had before comes back, behind those that it has.
    _ = try source.send(.delete, "/v1/items/\(globe)/photos/\(first)")
    #expect(try ids() == [second])
    let trial = try send(exported, to: source, "?dryRun=true")
    #expect(trial["/updated"] == 1)
    #expect(source.store.uploadCount == 0)
    #expect(try ids() == [second])
    let answer = try send(exported, to: source)
    #expect(answer["/updated"] == 1)
    #expect(try ids() == [second, first])
    #expect(
      try source.get("/v1/items/\(globe)/photos/\(first)").body == SampleImage.jpeg(size: 100_000))

    // An import is undone as any change is.
    let undo = try #require(answer.text("/receipt/undo"))
    #expect(try source.send(.post, undo).status == 200)
    #expect(try ids() == [second])
  }

  @Test(arguments: ["", "?dryRun=true"])
  func `merged where it came from no bytes are kept once more`(query: String) throws {
    try addAll()
    let exported = try export(source)
    // A wait for it to store a piece would never end.
    let held = HeldStore(source.store)
    let answer = try send(exported, to: Service(asking: held), query)
    #expect(answer.status == 200)
    #expect(answer["/photos"] == JSONValue(Self.images.count))
    #expect(answer["/updated"] == 0)
    #expect(held.release() == 0)
    let later = try Service(asking: LaterStore(source.store))
    #expect(try send(exported, to: later)["/receipt/changed"] == false)
    #expect(try export(source) == exported)
  }

  @Test func `of photos that an item lacks the bytes are kept, beside others that it has`() throws {
    try addAll()
    let exported = try export(source, "?listId=\(list.id)")
    let target = try Service()
    #expect(try send(exported, to: target).status == 200)
    let image = SampleImage.jpeg(size: 150_000)
    let id = try add(image, to: globe, of: source)
    let answer = try send(try export(source, "?listId=\(list.id)"), to: target)
    #expect(answer["/updated"] == 1)
    #expect(try photos(globe, in: target).count == Self.images.count + 1)
    #expect(try target.get("/v1/items/\(globe)/photos/\(id)").body == image)
    #expect(target.store.uploadCount == 0)
  }

  @Test func `merged elsewhere a tree brings its photos along`() throws {
    try addAll()
    let target = try Service()
    let shelf = try target.makeList("Target")
    let answer = try send(
      try export(source, "?listId=\(list.id)"), to: target, "?listId=\(shelf.id)")
    #expect(answer["/created"] == 3)
    #expect(answer["/updated"] == 0)
    #expect(try photos(globe, in: target) == photos(globe, in: source))
    let pieces = { (service: Service) in
      lines(try export(service, "?listId=\(list.id)")).filter { $0.contains("base64") }
    }
    #expect(try pieces(target) == pieces(source))
  }

  @Test(
    "an error in a photo is reported with its line, and nothing changes",
    arguments: [
      "a piece is missing", "a piece is there twice", "the last piece is missing", "no base64",
      "text behind the padding", "a short piece", "a long piece", "a piece of another photo",
      "a piece without a photo", "no photo number", "a photo of another item", "a photo of a list",
      "no size", "size 0", "a larger size", "a smaller size", "too large", "no image", "bad id",
      "an unknown member", "photos not counted", "the same photo twice",
    ], ["", "?mode=replace", "where it came from"])
  func refuses(fault: String, way: String) throws {
    let id = try add(SampleImage.jpeg(size: 150_000), to: globe, of: source)
    // Line 1 is the header; then the list, the globe, its photo, three pieces, the lamp, and the end.
    var lines = lines(try export(source, "?listId=\(list.id)"))
    try #require(lines.count == 9)
    let other = RowID(.version7()).description
    var line: Int
    var status = 422
    func edit(_ number: Int, _ old: String, _ new: String) -> Int {
      #expect(lines[number - 1].contains(old))
      lines[number - 1] = lines[number - 1].replacing(old, with: new)
      return number
    }
    func base64(_ number: Int, _ change: (inout String) -> Void) -> Int {
      let parts = lines[number - 1].split(separator: "\"base64\":\"")
      var text = String(parts[1].dropLast(2))
      change(&text)
      lines[number - 1] = parts[0] + "\"base64\":\"" + text + "\"}"
      return number
    }
    switch fault {
    case "a piece is missing":
      lines.remove(at: 5)
      line = 6
    case "a piece is there twice":
      lines.insert(lines[5], at: 5)
      line = 7
    case "the last piece is missing":
      lines.remove(at: 6)
      line = 7
    case "no base64":
      line = base64(6) { $0.replaceSubrange($0.startIndex...$0.startIndex, with: "*") }
    case "text behind the padding": line = base64(7) { $0 += "AAAA" }
    case "a short piece": line = base64(6) { $0.removeLast(4) }
    case "a long piece": line = base64(6) { $0 = "AAAA" + $0 }
    case "a piece of another photo": line = edit(6, id, other)
    case "a piece without a photo":
      lines.insert(lines[6], at: 7)
      line = 8
    case "no photo number": line = edit(6, "\"number\":1,", "")
    case "a photo of another item": line = edit(4, globe, other)
    case "a photo of a list": line = edit(4, globe, list.id)
    case "no size": line = edit(4, "\"size\":150000,", "")
    case "size 0": line = edit(4, "150000", "0")
    case "a larger size":
      _ = edit(4, "150000", "150001")
      line = 7
    case "a smaller size":
      _ = edit(4, "150000", "149999")
      line = 7
    case "too large": line = edit(4, "150000", "\((20 << 20) + 1)")
    case "no image":
      _ = base64(5) { $0 = "AAAA" + $0.dropFirst(4) }
      line = 4
    case "bad id": line = edit(4, id, "7")
    case "an unknown member": line = edit(4, "\"size\"", "\"bytes\"")
    case "photos not counted": line = edit(9, "\"photos\":1", "\"photos\":2")
    default:
      lines.insert(contentsOf: lines[3..<7], at: 7)
      line = 8
      status = 409
      _ = edit(13, "\"photos\":1", "\"photos\":2")
    }
    let target = way == "where it came from" ? source : try Service()
    _ = try add(SampleImage.png(), to: try target.makeThing("There", in: "root"), of: target)
    let before = try export(target)
    let query = way.hasPrefix("?") ? way : ""
    let answer = try send(lines.map { $0 + "\n" }.joined(), to: target, query)
    #expect(answer.status == status, "\(fault): \(String(decoding: answer.body, as: UTF8.self))")
    #expect(answer.code == (status == 422 ? "invalid_lines" : "line_conflicts"))
    #expect(answer["/line"] == JSONValue(line), "\(fault)")
    #expect(try export(target) == before)
    #expect(target.store.uploadCount == 0)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `an export that is cut anywhere is refused, and nothing changes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    _ = try add(SampleImage.jpeg(size: 150_000), to: globe, of: source)
    let exported = Array(try export(source).utf8)
    let target = try Service()
    let before = try export(target)
    for _ in 0..<6 {
      let cut = Int.random(in: 1..<exported.count - 1, using: &random)
      let text = exported[..<cut]
      let answer = try target.send(
        .post, "/v1/import" + (seed % 2 == 0 ? "" : "?mode=replace"),
        fields: ["Content-Type": "application/x-ndjson"], bytes: Array(text))
      #expect(answer.status == 422, "seed \(seed), cut at \(cut)")
      // A line that lacks no more than its end is read.
      let ends = exported[...cut].count { $0 == UInt8(ascii: "\n") }
      #expect(answer["/line"] == JSONValue(ends + 1), "seed \(seed), cut at \(cut)")
    }
    #expect(try export(target) == before, "seed \(seed)")
    #expect(target.store.uploadCount == 0)
  }

  @Test func `an item has no more photos than it may, neither by one file nor by two`() throws {
    for number in 0..<Limits.photosOfItem {
      _ = try add(SampleImage.png(100 + number), to: globe, of: source)
    }
    let exported = try export(source, "?listId=\(list.id)")
    let target = try Service()
    #expect(try send(exported, to: target).status == 200)
    var lines = lines(exported)
    let photo = RowID(.version7()).description
    let id = try #require(Answer(json: lines[3]).text("/id"))
    lines.insert(
      contentsOf: [lines[3], lines[4]].map { $0.replacing(id, with: photo) },
      at: 3 + 2 * Limits.photosOfItem)
    let many = try send(lines.joined(separator: "\n"), to: try Service())
    #expect(many.status == 422)
    #expect(many["/line"] == JSONValue(4 + 2 * Limits.photosOfItem))

    // Its photos are other ones in the file than there.
    lines = self.lines(exported)
    lines[3] = lines[3].replacing(id, with: photo)
    lines[4] = lines[4].replacing(id, with: photo)
    let answer = try send(lines.joined(separator: "\n"), to: target)
    #expect(answer.status == 409)
    #expect(answer.texts("/conflicts", "reason") == ["too_many_photos"])
    #expect(answer["/line"] == 4)
    #expect(target.store.uploadCount == 0)
  }

  @Test func `an export from before there were photos is read as one without`() throws {
    let lines = lines(try export(source)).map { $0.replacing(",\"photos\":0", with: "") }
    #expect(
      try send(lines.joined(separator: "\n"), to: try Service(), "?mode=replace").status == 200)
  }
}

extension Answer {
  /// A line as if it had been an answer, so that it can be looked into.
  fileprivate init(json: String) {
    self.init(Response(status: 200, body: Array(json.utf8)))
  }
}
