import HTTP
import Inventory

/// The handler of a server in test mode: notes every request, and fails those that a rule hits. Calls below `/v1/test/`
/// are neither noted nor failed.
package final class FaultyHandler: Handler {
  private let inner: APIHandler
  private let harness: TestHarness
  private let delays = LoopDelays()

  package init(_ inner: APIHandler, _ harness: TestHarness) {
    self.inner = inner
    self.harness = harness
  }

  package func begin(_ given: RequestHead) -> Admission {
    let head = given.dropping(prefix: inner.configuration.basePath.bytes)
    guard !head.segments().starts(with: ["v1", "test"]) else { return inner.begin(given) }
    var match: (route: Route, values: PathValues)?
    if case .route(let route, let values) = APIHandler.router.match(head) {
      match = (route, values)
    }
    let rule = harness.faults.hit(head, match)
    let request = FaultyRequest(
      number: harness.journal.begin(head, rule), rule: rule, journal: harness.journal,
      delays: delays)
    switch rule?.effect {
    case .refuse(let status):
      return request.admission(.respond(inner.response(to: head, Problem(faulty: status))))
    case .disconnect: return request.admission(.respond(.missing))
    default: return request.admission(inner.begin(given))
    }
  }

  package func wakeUpEnded(now: Int64) -> Int64? {
    let next = delays.run(now: now)
    return [inner.wakeUpEnded(now: now), next].compactMap(\.self).min()
  }

  package func refusal(_ fault: RequestFault, to head: RequestHead?) -> Response {
    inner.refusal(fault, to: head)
  }
}

extension Problem {
  /// The problem for a rule that refuses. Its code is one that has this status, or else a general one for 4xx or 5xx.
  fileprivate init(faulty status: Int) {
    let code: ProblemCode =
      switch status {
      case 429, 502, 503, 504: .overloaded
      default:
        ProblemCode.allCases.first { $0.status == status }
          ?? (status < 500 ? .invalid : .internalError)
      }
    self.init(
      code, status: status, "A fault of /v1/test/faults refuses this request.",
      allowed: status == 405 ? "" : nil)
    if status == 401 { challenge = Problem.missingToken.challenge }
  }
}

/// Work for later on one loop, without a thread. Only that loop calls it.
final class LoopDelays: @unchecked Sendable {
  // Sendable: the handler, its answers and its streams call it, all on their loop's thread.
  private var waiting: [(due: Int64?, milliseconds: Int64, body: () -> Void)] = []

  func after(_ milliseconds: Int64, _ body: @escaping () -> Void) {
    waiting.append((nil, milliseconds, body))
  }

  /// Does what is due. Returns the time of the next work.
  func run(now: Int64) -> Int64? {
    guard !waiting.isEmpty else { return nil }
    var due: [() -> Void] = []
    for index in waiting.indices where waiting[index].due == nil {
      waiting[index].due = now + waiting[index].milliseconds
    }
    waiting.removeAll { entry in
      guard entry.due ?? .max <= now else { return false }
      due.append(entry.body)
      return true
    }
    for body in due { body() }
    // What has just been added gets its time at the next call.
    return waiting.map { $0.due ?? now }.min()
  }
}

/// One request with the rule that hit it, if any.
struct FaultyRequest: Sendable {
  let number: Int
  let rule: FaultRule?
  let journal: RequestJournal
  let delays: LoopDelays

  /// What the server does with the request instead of `inner`.
  func admission(_ inner: Admission) -> Admission {
    switch inner {
    case .buffer(let limit, let answer):
      return .buffer(limit: limit) { body, responder in
        journal.change(number) { $0.take(body.span) }
        return reply(to: responder) { answer(body, $0) }
      }
    case .stream(let receiver): return .stream(FaultyReceiver(receiver, self))
    case .respond(let response) where (rule?.delay ?? 0) == 0: return .respond(shown(response))
    case .respond(let response): return .stream(FaultyReceiver(IgnoredBody(response), self))
    }
  }

  /// Answers after the delay.
  func reply(to responder: Responder, _ answer: @escaping (Responder) -> Reply) -> Reply {
    let changed = Responder(
      ticket: Ticket(connection: 0, request: 0), sink: ChangedReply(responder, self),
      client: responder.client)
    guard let delay = rule?.delay, delay > 0 else {
      switch answer(changed) {
      case .now(let response):
        changed.retire()
        return .now(shown(response))
      case .later: return .later
      }
    }
    delays.after(delay) {
      if case .now(let response) = answer(changed) { changed.send(response) }
    }
    return .later
  }

  /// The response as the client gets it.
  func shown(_ response: Response) -> Response {
    if response.status > 0 { journal.change(number) { $0.status = response.status } }
    switch rule?.effect {
    case nil, .refuse, .disconnect: return response
    case .loseAnswer:
      response.stream?.ended(.failed)
      return .missing
    case .cutAnswer(let bytes):
      let source = response.stream ?? WholeBody(response.bytes)
      guard source.length != 0 else { return response }
      var cut = response
      cut.body = .stream(CutBody(source, after: bytes, delays))
      return cut
    case .stallEvents(let point): return broken(response, after: point, stalls: true)
    case .cutEvents(let point): return broken(response, after: point, stalls: false)
    }
  }

  private func broken(
    _ response: Response, after point: FaultRule.StreamPoint, stalls: Bool
  ) -> Response {
    guard let stream = response.stream, stream.isEndless else { return response }
    var broken = response
    broken.body = .stream(BrokenEvents(stream, after: point, stalls: stalls, delays))
    return broken
  }
}

/// Changes the late response to one request.
private final class ChangedReply: ReplySink {
  private let responder: Responder
  private let request: FaultyRequest

  init(_ responder: Responder, _ request: FaultyRequest) {
    self.responder = responder
    self.request = request
  }

  func deliver(_ response: Response, for ticket: Ticket) {
    responder.send(request.shown(response))
  }

  func resume(_ ticket: Ticket) {}

  /// The responder of the request ends with this object, and the server answers 500.
  func abandon(_ ticket: Ticket) {}
}
