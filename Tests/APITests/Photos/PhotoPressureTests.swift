import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("Photo uploads wait for the store, and the store waits for no upload")
struct PhotoPressureTests {
  let arrays = ArrayStore()
  let held: HeldStore
  let service: Service
  let path: String
  let sink = Inbox()
  private let ticket = Ticket(connection: 0, request: 0)

  init() throws {
    held = HeldStore(arrays)
    service = try Service(store: arrays, asking: held)
    path = "/v1/items/\(try service.makeThing("Globe", in: "root"))/photos"
  }

  private func begin() throws -> any BodyReceiver {
    let receiver = try service.receiver(path)
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    return receiver
  }

  private func give(_ bytes: ArraySlice<UInt8>, to receiver: any BodyReceiver) -> String {
    switch receiver.receive(Array(bytes).span) {
    case .more: "more"
    case .wait: "wait"
    case .respond(let response): "\(response.status)"
    }
  }

  @Test func `the client is kept waiting once two pieces have come and none is kept`() throws {
    let image = SampleImage.jpeg(size: 200_000)
    let receiver = try begin()
    #expect(give(image[0..<60_000], to: receiver) == "more")
    #expect(give(image[60_000..<120_000], to: receiver) == "more")
    #expect(give(image[120_000..<150_000], to: receiver) == "wait")
    #expect(sink.resumptions == 0)
    #expect(held.release() == 1)
    #expect(sink.resumptions == 1)
    #expect(give(image[150_000...], to: receiver) == "more")
    let responder = Responder(ticket: ticket, sink: sink)
    guard case .later = receiver.finish(responder) else {
      Issue.record("The answer came before the photo.")
      return
    }
    #expect(sink.answer == nil)
    while held.release() > 0 {}
    #expect(sink.answer?.status == 201)
    #expect(try service.get(path)["/photos/0/size"] == JSONValue(200_000))
    #expect(arrays.uploadCount == 0)
  }

  @Test(arguments: [(uploads: 1, pieces: 8), (3, 2), (5, 1), (20, 1)])
  func
    `once the first piece is kept several are with the store, fewer where there are many uploads`(
      uploads: Int, pieces: Int
    ) throws
  {
    let receivers = try (0..<uploads).map { _ in try begin() }
    let receiver = receivers[0]
    let image = SampleImage.jpeg(size: 20 * PhotoPiece.size)
    var rest = image[...]
    func give(pieces: Int) -> String {
      defer { rest = rest.dropFirst(pieces * PhotoPiece.size) }
      return self.give(rest.prefix(pieces * PhotoPiece.size), to: receiver)
    }
    #expect(give(pieces: 1) == "more")
    held.release()
    for number in 1...pieces { #expect(give(pieces: 1) == "more", "piece \(number)") }
    #expect(give(pieces: 1) == "wait")
    #expect(held.release() == pieces)
    #expect(sink.resumptions == 1)
    _ = give(pieces: 20)
    _ = receiver.finish(Responder(ticket: ticket, sink: sink))
    var most = 0
    while case let count = held.release(), count > 0 { most = max(most, count) }
    #expect(most <= pieces)
    #expect(sink.answer?.status == 201)
    receivers.dropFirst().forEach { $0.brokenOff() }
    #expect(arrays.uploadCount == 0)
    let photo = try #require(try service.get(path).text("/photos/0/id"))
    let plain = try Service(store: arrays)
    #expect(try plain.source("\(path)/\(photo)").whole() == image)
  }

  @Test func `if one of several pieces is refused, the upload ends once all are answered`()
    throws
  {
    let image = SampleImage.jpeg(size: 5 * PhotoPiece.size)
    let receiver = try begin()
    _ = give(image[0..<PhotoPiece.size], to: receiver)
    held.release()
    _ = give(image[PhotoPiece.size...], to: receiver)
    let responder = Responder(ticket: ticket, sink: sink)
    _ = receiver.finish(responder)
    held.release(1, as: .storageFull)
    #expect(sink.answer == nil)
    while held.release() > 0 {}
    #expect(sink.answer?.status == 507)
    #expect(arrays.uploadCount == 0)
    #expect(try service.get(path)["/count"] == JSONValue(0))
  }

  @Test(arguments: [false, true])
  func `what is broken off leaves nothing, whether a piece is on its way or not`(
    isLate: Bool
  ) throws {
    let image = SampleImage.jpeg(size: 200_000)
    let receiver = try begin()
    _ = give(image[0..<70_000], to: receiver)
    #expect(arrays.uploadCount == 1)
    if isLate { held.release() }
    receiver.brokenOff()
    held.release()
    #expect(arrays.uploadCount == 0)
    #expect(try service.get(path)["/count"] == JSONValue(0))
  }

  @Test func `an item that goes away in mid-upload refuses the photo at its end`() throws {
    let image = SampleImage.jpeg(size: 100_000)
    let receiver = try begin()
    _ = give(image[0..<70_000], to: receiver)
    _ = give(image[70_000...], to: receiver)
    let item = path.replacing("/photos", with: "")
    try #require(try service.send(.delete, item).status == 200)
    let responder = Responder(ticket: ticket, sink: sink)
    _ = receiver.finish(responder)
    while held.release() > 0 {}
    #expect(sink.answer?.status == 410)
    #expect(arrays.uploadCount == 0)
  }

  @Test func `a refusal by the store answers at the next piece`() throws {
    let receiver = try begin()
    let image = SampleImage.jpeg(size: 200_000)
    try #require(
      try service.send(.patch, "/v1/lists/root", ["permissions": ["edit": .bool(false)]]).status
        == 200)
    #expect(give(image[0..<70_000], to: receiver) == "more")
    held.release()
    #expect(give(image[70_000..<80_000], to: receiver) == "403")
    #expect(arrays.uploadCount == 0)
  }

  @Test func `a download reads a piece when there is room for it`() throws {
    let image = SampleImage.jpeg(size: 150_000)
    let plain = try Service(store: arrays)
    let made = try plain.send(.post, path, bytes: image)
    let photo = try #require(made.text("/id").flatMap(PhotoID.init(text:)))
    let source = try service.source("\(path)/\(photo)")
    source.started(StreamSignal(ticket: ticket, sink: sink))
    var body: [UInt8] = []
    var reads = 0
    pulling: while true {
      switch source.pull(into: &body, limit: 64 << 10) {
      case .wait:
        reads += 1
        #expect(held.release() == 1)
        #expect(held.release() == 0)
      case .more: continue
      case .end: break pulling
      case .fail:
        Issue.record("The source failed.")
        break pulling
      }
    }
    #expect(body == image)
    #expect(reads == 3)
  }
}
