import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Which bytes of a photo are given")
struct PhotoRangeTests {
  let service: Service
  let path: String
  let image = SampleImage.jpeg(size: 100_000)
  let tag: String

  init() throws {
    service = try Service()
    let item = try service.makeThing("Globe", in: "root")
    let made = try service.send(.post, "/v1/items/\(item)/photos", bytes: image)
    path = try #require(made.fields["location"])
    tag = try #require(try service.get(path).fields["etag"])
  }

  @Test(
    "one range",
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=0-99999", 0..<100_000), ("bytes=10-19", 10..<20),
      ("bytes=99999-", 99_999..<100_000), ("bytes=65535-65536", 65_535..<65_537),
      ("bytes=70000-", 70_000..<100_000), ("bytes=-1", 99_999..<100_000),
      ("bytes=-200000", 0..<100_000), ("bytes=5-99999999999999999999", 5..<100_000),
      ("bytes=-99999999999999999999", 0..<100_000), ("BYTES = 7-8", 7..<9),
    ])
  func parts(field: String, range: Range<Int>) throws {
    let answer = try service.get(path, ["Range": field])
    #expect(answer.status == 206)
    #expect(answer.body == Array(image[range]))
    #expect(answer.length == range.count)
    #expect(
      answer.fields["content-range"]
        == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100000")
    #expect(answer.fields["content-type"] == "image/jpeg")
    #expect(answer.fields["etag"] == tag)
  }

  @Test(
    "past the end",
    arguments: ["bytes=100000-", "bytes=100000-100001", "bytes=-0", "bytes=99999999999999999999-"])
  func unsatisfiable(field: String) throws {
    let answer = try service.get(path, ["Range": field])
    #expect(answer.status == 416)
    #expect(answer.code == "range_not_satisfiable")
    #expect(answer.fields["content-range"] == "bytes */100000")
  }

  @Test(
    "what is several ranges, or none, gives all",
    arguments: [
      "bytes=0-1,5-6", "bytes=9-3", "bytes=", "bytes=-", "bytes", "bytes=a-b", "bytes=1-+5",
      "bytes=1", "items=0-1", "bytes=0-1-2", "bytes=0x1-2", "",
    ])
  func whole(field: String) throws {
    let answer = try service.get(path, ["Range": field])
    #expect(answer.status == 200)
    #expect(answer.fields["content-range"] == nil)
    #expect(answer.body == image)
  }

  @Test func `If-Range gives the range of the same bytes only`() throws {
    let others = ["\"1\"", "W/\(tag)", "Sat, 21 Nov 2026 08:00:00 GMT", "nonsense"]
    for (condition, status) in [(tag, 206)] + others.map({ ($0, 200) }) {
      let answer = try service.get(path, ["Range": "bytes=0-9", "If-Range": condition])
      #expect(answer.status == status, "\(condition)")
      #expect(answer.body.count == (status == 206 ? 10 : image.count))
    }
  }

  @Test func `a client that has the bytes gets 304, before any range is read`() throws {
    for condition in [tag, "W/\(tag)", "*", "\"x\", \(tag)"] {
      let answer = try service.get(path, ["If-None-Match": condition, "Range": "bytes=0-9"])
      #expect(answer.status == 304)
      #expect(answer.body.isEmpty)
      #expect(answer.fields["etag"] == tag)
      #expect(answer.fields["cache-control"] == "private, max-age=31536000, immutable")
    }
    #expect(try service.get(path, ["If-None-Match": "\"x\""]).status == 200)
  }

  @Test func `HEAD has the header fields of GET, without ranges`() throws {
    let answer = try service.send(.head, path, fields: ["Range": "bytes=0-9"])
    #expect(answer.status == 200)
    #expect(answer.length == image.count)
    #expect(answer.fields["content-range"] == nil)
    #expect(try service.send(.head, path, fields: ["If-None-Match": tag]).status == 304)
  }
}
