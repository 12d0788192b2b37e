import API
import HTTP
import JSON
import Support
import Testing

/// Large pages are read after the other requests of a wake-up.
@Suite struct LargePageTests {
  private let service: Service

  init() throws {
    service = try Service()
    for name in ["Chair", "Lamp"] {
      try service.send(.post, "/v1/lists/root/items", ["name": .string(name)])
    }
  }

  @Test(arguments: [
    "/v1/lists/root/rows?limit=201", "/v1/lists/root/screen?limit=1000", "/v1/start?limit=1000",
  ])
  func `a large page waits for the end of the wake-up`(target: String) throws {
    let page = try ask(target)
    #expect(page.answer == nil)
    service.endWakeUp()
    #expect(try Answer(page.wait()).status == 200)
  }

  @Test(arguments: ["/v1/lists/root/rows?limit=200", "/v1/lists/root/screen", "/v1/start"])
  func `a smaller page is answered at once`(target: String) throws {
    #expect(try ask(target).answer?.status == 200)
  }

  @Test func `one large page is read for each wake-up, and clients take turns`() throws {
    let target = "/v1/lists/root/rows?limit=1000"
    let (first, second) = (Peer(family: .v4, high: 1), Peer(family: .v4, high: 2))
    let pages = try [first, first, first, second].map { try ask(target, from: $0) }
    var order: [Int] = []
    for _ in pages {
      service.endWakeUp()
      order += pages.indices.filter { pages[$0].answer != nil && !order.contains($0) }
    }
    #expect(order == [0, 3, 1, 2])
  }

  @Test func `a page is not read for a client that has left`() throws {
    let client = ClientPresence()
    let page = try ask("/v1/lists/root/rows?limit=1000", client: client)
    client.leave()
    service.endWakeUp()
    #expect(page.answer == nil)
  }

  /// Begins a request, as the server does before the end of its wake-up.
  private func ask(
    _ target: String, from peer: Peer? = nil, client: ClientPresence = ClientPresence()
  ) throws -> Inbox {
    let head = try RequestHead(method: .get, target: target, fields: Fields(), peer: peer)
    guard case .buffer(_, let answer) = service.handler.begin(head) else {
      throw Service.Unanswered()
    }
    let sink = Inbox()
    let ticket = Ticket(connection: 0, request: 0)
    let responder = Responder(ticket: ticket, sink: sink, client: client)
    if case .now(let response) = answer([], responder) { responder.send(response) }
    return sink
  }
}
