import HTTP
import Inventory
import JSON
import Support
import Testing

@testable import API

@Suite("A revoked token has no further effect, also for what it has begun")
struct RevokedTokenTests {
  let arrays = ArrayStore()
  let service: Service
  let photos: String
  let token: Fields
  private let id: TokenID
  private let sink = Inbox()
  private let ticket = Ticket(connection: 0, request: 0)

  init() throws {
    service = try Service(store: arrays) { $0.isOpen = true }
    photos = "/v1/items/\(try service.makeThing("Globe", in: "root"))/photos"
    (id, token) = try service.makeToken()
  }

  private func revoke() { Self.revoke(id, in: arrays) }

  private static func revoke(_ id: TokenID, in arrays: ArrayStore) {
    arrays.administer(.revokeToken(id), as: .local) { _ in }
  }

  private func begin(
    _ target: String, _ more: Fields = Fields(), in other: Service? = nil
  ) throws -> any BodyReceiver {
    var fields = token
    for (name, value) in more.all { fields.append(name, value) }
    let receiver = try (other ?? service).receiver(target, fields: fields)
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    return receiver
  }

  private func give(_ bytes: ArraySlice<UInt8>, to receiver: any BodyReceiver) -> Int? {
    guard case .respond(let response) = receiver.receive(Array(bytes).span) else { return nil }
    return response.status
  }

  private func finish(_ receiver: any BodyReceiver) throws -> Response {
    let responder = Responder(ticket: ticket, sink: sink)
    guard case .now(let response) = receiver.finish(responder) else {
      return try sink.wait()
    }
    responder.retire()
    return response
  }

  private static let image = SampleImage.jpeg(size: 200_000)
  private static let typed: Fields = ["Content-Type": "application/x-ndjson"]

  @Test(arguments: [Fields(), ["Idempotency-Key": "k"]])
  func `an upload that is under way is refused with its next piece`(key: Fields) throws {
    let receiver = try begin(photos, key)
    #expect(give(Self.image[..<70_000], to: receiver) == nil)
    #expect(arrays.uploadCount == 1)
    revoke()
    #expect(give(Self.image[70_000..<70_001], to: receiver) == 401)
    #expect(arrays.uploadCount == 0)
    #expect(try service.get(photos)["/count"] == 0)
  }

  @Test(arguments: [Fields(), ["Idempotency-Key": "k"]])
  func `an upload that has come whole is not added`(key: Fields) throws {
    let receiver = try begin(photos, key)
    #expect(give(Self.image[...], to: receiver) == nil)
    revoke()
    let answer = try finish(receiver)
    #expect(answer.status == 401)
    #expect(answer.fields["www-authenticate"]?.contains("invalid_token") == true)
    #expect(arrays.uploadCount == 0)
    #expect(try service.get(photos)["/count"] == 0)
  }

  @Test func `an upload whose pieces the store still keeps is not added`() throws {
    let held = HeldStore(arrays)
    let slow = try Service(store: arrays, asking: held) { $0.isOpen = true }
    let receiver = try begin(photos, in: slow)
    _ = give(Self.image[..<60_000], to: receiver)
    let responder = Responder(ticket: ticket, sink: sink)
    guard case .later = receiver.finish(responder) else {
      Issue.record("It was answered at once.")
      return
    }
    revoke()
    while held.release() > 0 {}
    #expect(sink.answer?.status == 401)
    #expect(arrays.uploadCount == 0)
    #expect(try service.get(photos)["/count"] == 0)
  }

  @Test(arguments: ["/v1/import", "/v1/import?mode=replace", "/v1/import?dryRun=true"])
  func `an import is refused with its next piece, or at its end`(target: String) throws {
    let export = try service.download("/v1/export").body
    let before = arrays.copy()
    let cut = try begin(target, Self.typed)
    let whole = try begin(target, Self.typed)
    #expect(give(export[..<20], to: cut) == nil)
    #expect(give(export[...], to: whole) == nil)
    revoke()
    #expect(give(export[20...], to: cut) == 401)
    #expect(try finish(whole).status == 401)
    #expect(try service.download("/v1/export").body == export)
    #expect(before.hasTokens && !arrays.hasTokens)
  }

  @Test func `a download breaks off`() throws {
    let made = try service.send(.post, photos, bytes: Self.image)
    let photo = "\(photos)/\(try #require(made.text("/id")))"
    for target in [photo, "/v1/export", "/v1/lists/root/rows.csv"] {
      let sam = try service.makeToken()
      let (_, source) = try service.exchange(.get, target, fields: sam.fields)
      let stream = try #require(source)
      stream.started(StreamSignal(ticket: ticket, sink: sink))
      var body: [UInt8] = []
      guard case .more = stream.pull(into: &body, limit: 10) else {
        Issue.record("\(target) gave all at once.")
        continue
      }
      Self.revoke(sam.id, in: arrays)
      guard case .fail = stream.pull(into: &body, limit: 10) else {
        Issue.record("\(target) went on.")
        continue
      }
      #expect(!body.isEmpty)
    }
  }

  @Test(arguments: [
    "/v1/lists/root", "/v1/search?q=globe", "/v1/export", "/v1/lists/root/rows.csv",
  ])
  func `a read that took a while is not answered`(target: String) throws {
    let (arrays, id) = (arrays, id)
    let revoking = RevokingStore(arrays) { Self.revoke(id, in: arrays) }
    let slow = try Service(store: arrays, asking: revoking)
    let (answer, source) = try slow.exchange(.get, target, fields: token)
    #expect(answer.status == 401)
    #expect(source == nil)
  }
}

/// A store that answers reads later, and has something happen before it does.
final class RevokingStore: StoreInFront {
  let store: ArrayStore
  private let happening: @Sendable () -> Void

  init(_ store: ArrayStore, _ happening: @escaping @Sendable () -> Void) {
    self.store = store
    self.happening = happening
  }

  func makeSession() throws(InventoryError) -> any ReadSession {
    Session(session: try store.makeSession(), happening)
  }

  private final class Session: ReadSession {
    private let session: any ReadSession
    private let happening: @Sendable () -> Void

    init(session: any ReadSession, _ happening: @escaping @Sendable () -> Void) {
      self.session = session
      self.happening = happening
    }

    func read<Value: Sendable>(
      _ cost: ReadCost, as caller: Caller, for requester: Requester,
      _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value,
      later: @escaping @Sendable (Result<Value, InventoryError>) -> Void
    ) -> Result<Value, InventoryError>? {
      let result = session.read(cost, as: caller, for: requester, body, later: later)
      happening()
      if let result { later(result) }
      return nil
    }

    func rest() { session.rest() }
  }
}
