import HTTP
import Synchronization
import Testing

@Suite struct ResponderTests {
  private final class Sink: ReplySink {
    let log = Mutex<[String]>([])

    func deliver(_ response: Response, for ticket: Ticket) {
      log.withLock { $0.append("\(response.status) for \(ticket.request)") }
    }
    func resume(_ ticket: Ticket) { log.withLock { $0.append("resume") } }
    func abandon(_ ticket: Ticket) { log.withLock { $0.append("abandon") } }
  }

  private let sink = Sink()
  private var responder: Responder {
    Responder(ticket: Ticket(connection: 1, request: 7), sink: sink)
  }

  @Test func `only the first answer counts`() {
    let responder = responder
    responder.send(Response(status: 200))
    responder.send(Response(status: 500))
    #expect(sink.log.withLock(\.self) == ["200 for 7"])
  }

  @Test func `a dropped responder reports that`() {
    _ = responder
    #expect(sink.log.withLock(\.self) == ["abandon"])
  }

  @Test func `a retired or used responder reports nothing`() {
    responder.retire()
    responder.send(Response(status: 204))
    #expect(sink.log.withLock(\.self) == ["204 for 7"])
  }

  @Test func `a signal that is raised already is not raised again`() {
    let signal = StreamSignal(ticket: Ticket(connection: 1, request: 7), sink: sink)
    signal.resume()
    signal.resume()
    signal.lower()
    signal.resume()
    #expect(sink.log.withLock(\.self) == ["resume", "resume"])
  }
}
