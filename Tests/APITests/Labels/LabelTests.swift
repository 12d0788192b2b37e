import HTTP
import JSON
import Testing

@testable import API

@Suite struct `A label` {
  private let service: Service
  private let list: Service.MadeList

  init() throws {
    service = try Service()
    list = try service.makeList("Shelf", things: ["Globe"])
  }

  private func label(_ path: String, _ fields: Fields = [:]) throws -> String {
    let answer = try service.get(path, fields)
    try #require(answer.status == 200)
    #expect(answer.fields["content-type"] == "image/svg+xml")
    #expect(answer.fields["content-security-policy"] == "default-src 'none'; sandbox")
    return String(decoding: answer.body, as: UTF8.self)
  }

  private func code(_ address: String) throws -> String { try #require(QRCode(address)).svg }

  @Test func `has the address of an item or a list on the host that the client used`() throws {
    let item = try #require(try service.get("\(list.path)/rows").text("/rows/0/id"))
    let host: Fields = ["Host": "127.0.0.2:8080"]
    #expect(try label("/v1/items/\(item)/label", host) == code("http://127.0.0.2:8080/i/\(item)"))
    #expect(try label("\(list.path)/label", host) == code("http://127.0.0.2:8080/l/\(list.id)"))
    let root = try #require(try service.get("/v1/lists/root").text("/id"))
    #expect(try label("/v1/lists/root/label", host) == code("http://127.0.0.2:8080/l/\(root)"))
  }

  @Test func `has the given origin, and the base path`() throws {
    let base = try Service(store: service.store) { $0.basePath = BasePath("/home") ?? .none }
    let answer = try base.get("\(list.path)/label?origin=https://things.example")
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == (try code("https://things.example/home/l/\(list.id)")))
  }

  @Test(arguments: [
    "things.example", "https://things.example/", "ftp://things.example", "javascript:1", "",
    "https://" + String(repeating: "a", count: 200),
  ])
  func `refuses what is no origin`(origin: String) throws {
    let answer = try service.get("\(list.path)/label?origin=\(origin)")
    #expect(answer.status == 422)
    #expect(answer.texts("/errors", "parameter") == ["origin"])
  }

  @Test func `is sent once to a client that keeps it`() throws {
    let tag = try #require(try service.get("\(list.path)/label").fields["etag"])
    let again = try service.get("\(list.path)/label", ["If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(again.fields["vary"] == (try service.get("\(list.path)/label").fields["vary"]))
    let other = try service.get(
      "\(list.path)/label?origin=https://things.example", ["If-None-Match": tag])
    #expect(other.status == 200)
  }
}
