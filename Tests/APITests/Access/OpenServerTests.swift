import HTTP
import Inventory
import Support
import Testing

@testable import API

@Suite("What somebody without a token has begun ends with the first token")
struct OpenServerTests {
  let arrays = ArrayStore()
  let service: Service
  let photos: String
  private let sink = Inbox()
  private let ticket = Ticket(connection: 0, request: 0)

  private static let image = SampleImage.jpeg(size: 200_000)
  private static let typed: Fields = ["Content-Type": "application/x-ndjson"]
  private static let challenge = #"Bearer realm="rowhouse""#

  init() throws {
    service = try Service(store: arrays)
    photos = "/v1/items/\(try service.makeThing("Globe", in: "root"))/photos"
  }

  /// Makes the first token.
  private func close() throws { _ = try service.makeToken() }

  private func begin(_ target: String, _ fields: Fields = Fields()) throws -> any BodyReceiver {
    let receiver = try service.receiver(target, fields: fields)
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    return receiver
  }

  private func give(_ bytes: ArraySlice<UInt8>, to receiver: any BodyReceiver) -> Response? {
    guard case .respond(let response) = receiver.receive(Array(bytes).span) else { return nil }
    return response
  }

  private func finish(_ receiver: any BodyReceiver) throws -> Response {
    let responder = Responder(ticket: ticket, sink: sink)
    guard case .now(let response) = receiver.finish(responder) else {
      return try sink.wait()
    }
    responder.retire()
    return response
  }

  /// What only the server itself can ask by now.
  private func asked() throws -> Service { try Service(store: arrays) { $0.isOpen = true } }

  @Test func `an upload`() throws {
    let (cut, whole) = (try begin(photos), try begin(photos))
    #expect(give(Self.image[..<70_000], to: cut) == nil)
    #expect(give(Self.image[...], to: whole) == nil)
    try close()
    let refusal = try #require(give(Self.image[70_000...], to: cut))
    #expect(refusal.status == 401)
    #expect(refusal.fields["www-authenticate"] == Self.challenge)
    let answer = try finish(whole)
    #expect(answer.status == 401)
    #expect(answer.fields["www-authenticate"] == Self.challenge)
    #expect(arrays.uploadCount == 0)
    #expect(try asked().get(photos)["/count"] == 0)
  }

  @Test(arguments: ["/v1/import", "/v1/import?mode=replace", "/v1/import?dryRun=true"])
  func `an import`(target: String) throws {
    let export = try service.download("/v1/export").body
    let (cut, whole) = (try begin(target, Self.typed), try begin(target, Self.typed))
    #expect(give(export[..<20], to: cut) == nil)
    #expect(give(export[...], to: whole) == nil)
    try close()
    #expect(give(export[20...], to: cut)?.status == 401)
    #expect(try finish(whole).status == 401)
    #expect(try asked().download("/v1/export").body == export)
  }

  @Test func `a download`() throws {
    let made = try service.send(.post, photos, bytes: Self.image)
    let photo = "\(photos)/\(try #require(made.text("/id")))"
    let streams = try [photo, "/v1/export", "/v1/lists/root/rows.csv"].map { target in
      let stream = try #require(try service.exchange(.get, target).1)
      stream.started(StreamSignal(ticket: ticket, sink: sink))
      return stream
    }
    var body: [UInt8] = []
    for stream in streams {
      guard case .more = stream.pull(into: &body, limit: 10) else {
        Issue.record("All came at once.")
        continue
      }
    }
    try close()
    for stream in streams {
      guard case .fail = stream.pull(into: &body, limit: 10) else {
        Issue.record("It went on.")
        continue
      }
    }
  }

  @Test func `an event stream`() throws {
    let stream = try service.follow("/v1/events")
    #expect(stream.events().isEmpty)
    try close()
    try asked().makeThing("Map", in: "root")
    #expect(stream.events().map(\.event) == ["gone"])
    #expect(stream.isAtEnd)
  }

  @Test(arguments: [
    "/v1/lists/root", "/v1/search?q=globe", "/v1/export", "/v1/lists/root/rows.csv",
  ])
  func `a read that took a while`(target: String) throws {
    let new = NewToken(credential: Credential.random().credential, name: "Sam", role: .owner)
    let closing = RevokingStore(arrays) { [arrays] in
      arrays.administer(.createToken(new), as: .local) { _ in }
    }
    let slow = try Service(store: arrays, asking: closing)
    let (answer, source) = try slow.exchange(.get, target)
    #expect(answer.status == 401)
    #expect(source == nil)
  }

  @Test func `nothing ends where the server asks for no tokens`() throws {
    let service = try asked()
    let receiver = try service.receiver(photos)
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    #expect(give(Self.image[..<70_000], to: receiver) == nil)
    let stream = try service.follow("/v1/events")
    #expect(stream.events().isEmpty)
    try close()
    #expect(give(Self.image[70_000...], to: receiver) == nil)
    #expect(try finish(receiver).status == 201)
    #expect(stream.events().map(\.event) == ["change"])
    #expect(!stream.isAtEnd)
  }
}
