import HTTP
import Inventory
import JSON
import Support
import Testing

@testable import API

@Suite("A download breaks off when its subject leaves the caller's sight")
struct DownloadSightTests {
  let service: Service
  let list: Service.MadeList
  let other: Service.MadeList
  private let scoped: Service
  private let photo: String

  init() throws {
    service = try Service()
    list = try service.makeList("Shelf", things: ["Globe", "Map"])
    other = try service.makeList("Other")
    scoped = try service.asked(by: .reader, root: ListID(text: list.id))
    let photos = "/v1/items/\(list.rows[0])/photos"
    let made = try service.send(.post, photos, bytes: SampleImage.jpeg(size: 200_000))
    photo = "\(photos)/\(try #require(made.text("/id")))"
  }

  private func begin(_ target: String, of service: Service) throws -> any BodySource {
    let source = try #require(try service.exchange(.get, target).1)
    source.started(StreamSignal(ticket: Ticket(connection: 0, request: 0), sink: Inbox()))
    #expect(goesOn(source))
    return source
  }

  private func goesOn(_ source: any BodySource) -> Bool {
    var body: [UInt8] = []
    if case .more = source.pull(into: &body, limit: 10) { return true } else { return false }
  }

  @Test func `that of a photo with its item's move, for those who do not see where it is`() throws {
    let (theirs, ours) = (try begin(photo, of: scoped), try begin(photo, of: service))
    try service.send(.post, "/v1/rows/\(list.rows[1])/move", ["listId": .string(other.id)])
    #expect(goesOn(theirs))
    try service.send(.post, "/v1/rows/\(list.rows[0])/move", ["listId": .string(other.id)])
    #expect(!goesOn(theirs))
    #expect(goesOn(ours))
    try service.send(.delete, "/v1/rows/\(list.rows[0])")
    #expect(!goesOn(ours))
  }

  @Test func `not before its first piece, so that a short one is whole`() throws {
    let source = try #require(try service.exchange(.get, list.path + "/rows.csv").1)
    source.started(StreamSignal(ticket: Ticket(connection: 0, request: 0), sink: Inbox()))
    try service.send(.delete, list.path + "?recursive=true")
    var body: [UInt8] = []
    guard case .end = source.pull(into: &body, limit: 1 << 20) else {
      Issue.record("the download ended early")
      return
    }
    #expect(source.length == body.count)
  }

  @Test func `that of an export or a table with the list's deletion`() throws {
    let targets = ["/v1/export", "/v1/lists/root/rows.csv"]
    let theirs = try targets.map { try begin($0, of: scoped) }
    let ours = try ["/v1/export?listId=\(list.id)", list.path + "/rows.csv"].map {
      try begin($0, of: service)
    }
    let whole = try targets.map { try begin($0, of: service) }
    try service.send(.post, "/v1/rows/\(list.id)/move", ["listId": .string(other.id)])
    for source in theirs + ours + whole { #expect(goesOn(source)) }
    try service.send(.delete, list.path + "?recursive=true")
    for source in theirs + ours { #expect(!goesOn(source)) }
    for source in whole { #expect(goesOn(source)) }
  }
}
