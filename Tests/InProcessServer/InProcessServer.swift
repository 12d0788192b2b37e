import API
import Dispatch
import FoundationEssentials
import HTTP
import Inventory
import Storage

/// The API on a real database in the process of the tests: requests need no socket.
///
/// It does on a queue what the program does on the thread of a loop. All its variables are used on that queue only, so it
/// is `Sendable`.
package final class InProcessServer: @unchecked Sendable {
  /// A part of an answer, as it arrives.
  package enum Piece: Sendable {
    case head(status: Int, fields: [(name: String, value: String)])
    case bytes([UInt8])
    case end
    /// The server has stopped, or has cut the connection.
    case lost
  }

  /// A request and its answer.
  package struct Exchange: Sendable, Hashable { fileprivate let ticket: Ticket }

  private let path: String
  private let queue = DispatchQueue(label: "InProcessServer")
  private let begin = ContinuousClock.now
  private var store: DatabaseStore?
  private var handler: APIHandler?
  private var answers: [Ticket: PendingAnswer] = [:]
  private var requests: UInt64 = 0
  /// The time of the next wake-up, in milliseconds.
  private var nextWakeUp = Int64.max
  private lazy var sink = Sink(self)

  package init(database path: String) { self.path = path }

  deinit { store?.close() }

  /// Opens the database. The time of all changes is `date`.
  package func start(at date: Date) throws {
    try queue.sync {
      var configuration = DatabaseStore.Configuration(path: path)
      configuration.now = { date }
      let store = try DatabaseStore(configuration)
      let waker = LoopWaker { [weak self] in
        guard let self else { return }
        queue.async { self.endWakeUp() }
      }
      handler = try APIHandler(
        store: store, configuration: Configuration(version: "test"), waker: waker)
      self.store = store
    }
  }

  /// Loses all answers that are not complete, and closes the database.
  package func stop() {
    queue.sync {
      for (_, answer) in answers {
        answer.source?.ended(.shutdown)
        answer.receive(.lost)
      }
      answers = [:]
      handler = nil
      store?.close()
      store = nil
    }
  }

  /// Sends a request. Calls `receive` with the pieces of the answer one after another, and last with `end` or `lost`.
  package func send(
    _ method: String, _ target: String, fields: [(name: String, value: String)], body: [UInt8],
    receive: @escaping @Sendable (Piece) -> Void
  ) -> Exchange {
    queue.sync {
      requests += 1
      let ticket = Ticket(connection: requests, request: 0)
      queue.async { [self] in
        answers[ticket] = PendingAnswer(receive: receive)
        handle(method, target, fields, body, ticket)
        endWakeUp()
      }
      return Exchange(ticket: ticket)
    }
  }

  /// The client does not want the rest of an answer.
  package func cancel(_ exchange: Exchange) {
    queue.async { [self] in
      answers.removeValue(forKey: exchange.ticket)?.source?.ended(.clientGone)
    }
  }

  private struct PendingAnswer {
    let receive: @Sendable (Piece) -> Void
    var source: (any BodySource)?
    var signal: StreamSignal?
  }

  private func handle(
    _ method: String, _ target: String, _ given: [(name: String, value: String)], _ body: [UInt8],
    _ ticket: Ticket
  ) {
    guard let handler else { return lose(ticket) }
    var fields = Fields()
    for (name, value) in given where !["host", "content-length"].contains(name.lowercased()) {
      fields.append(name, value)
    }
    if !body.isEmpty { fields.append("Content-Length", String(body.count)) }
    guard
      let head = try? RequestHead(
        method: HTTP.Method(method), target: target, fields: fields)
    else { return lose(ticket) }
    switch handler.begin(head) {
    case .respond(let response): deliver(response, for: ticket)
    case .buffer(_, let answer):
      let responder = Responder(ticket: ticket, sink: sink)
      if case .now(let response) = answer(body, responder) {
        responder.retire()
        deliver(response, for: ticket)
      }
    case .stream: preconditionFailure("Bodies in pieces are not supported.")
    }
  }

  private func lose(_ ticket: Ticket) { answers.removeValue(forKey: ticket)?.receive(.lost) }

  private func deliver(_ response: Response, for ticket: Ticket) {
    guard let answer = answers[ticket] else {
      response.stream?.ended(.clientGone)
      return
    }
    answer.receive(.head(status: response.status, fields: response.fields.all))
    guard let source = response.stream else {
      if !response.bytes.isEmpty { answer.receive(.bytes(response.bytes)) }
      answer.receive(.end)
      answers[ticket] = nil
      return
    }
    let signal = StreamSignal(ticket: ticket, sink: sink)
    answers[ticket]?.source = source
    answers[ticket]?.signal = signal
    source.started(signal)
    pull(ticket)
  }

  private func pull(_ ticket: Ticket) {
    guard let answer = answers[ticket], let source = answer.source else { return }
    answer.signal?.lower()
    while true {
      var bytes: [UInt8] = []
      let supply = source.pull(into: &bytes, limit: 1 << 16)
      if !bytes.isEmpty { answer.receive(.bytes(bytes)) }
      switch supply {
      case .more: continue
      case .wait: return
      case .end, .fail:
        answers[ticket] = nil
        if case .end = supply {
          answer.receive(.end)
          source.ended(.complete)
        } else {
          answer.receive(.lost)
          source.ended(.failed)
        }
        return
      }
    }
  }

  private func endWakeUp() {
    guard let handler else { return }
    let now = Int64((ContinuousClock.now - begin) / .milliseconds(1))
    guard let next = handler.wakeUpEnded(now: now), next < nextWakeUp else { return }
    nextWakeUp = next
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(max(1, next - now)))) { [weak self] in
      self?.nextWakeUp = .max
      self?.endWakeUp()
    }
  }

  /// Its weak reference is never set again, and weak references may be read on any thread.
  private final class Sink: ReplySink, @unchecked Sendable {
    private weak var server: InProcessServer?

    init(_ server: InProcessServer) { self.server = server }

    private func later(_ work: @escaping @Sendable (InProcessServer) -> Void) {
      server?.queue.async { [weak server] in
        guard let server else { return }
        work(server)
        server.endWakeUp()
      }
    }

    func deliver(_ response: Response, for ticket: Ticket) {
      later { $0.deliver(response, for: ticket) }
    }
    func resume(_ ticket: Ticket) { later { $0.pull(ticket) } }
    func abandon(_ ticket: Ticket) { later { $0.lose(ticket) } }
  }
}
