import JSON
import Support
import Testing

@Suite("Photos from cameras and phones")
struct PhotographTests {
  @Test(arguments: Photograph.all)
  func `the size and orientation in a file are reported, and its bytes stay`(photo: Photograph)
    throws
  {
    let service = try Service()
    let item = try service.makeThing("Globe", in: "root")
    let path = "/v1/items/\(item)/photos"
    let made = try service.send(.post, path, bytes: photo.bytes)
    #expect(made.status == 201)
    #expect(made.text("/type") == photo.facts.type.mediaType)
    #expect(made["/size"] == JSONValue(photo.bytes.count))
    #expect(made["/width"] == photo.facts.width.map { JSONValue($0) })
    #expect(made["/height"] == photo.facts.height.map { JSONValue($0) })
    #expect(made["/orientation"] == photo.facts.orientation.map { JSONValue($0) })
    let id = try #require(made.text("/id"))
    #expect(try service.get("\(path)/\(id)").body == photo.bytes)
  }
}
