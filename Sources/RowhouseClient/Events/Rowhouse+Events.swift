import Foundation

extension Rowhouse {
  /// What happens to a list, or to the whole inventory, from a revision on.
  ///
  /// The stream resumes by itself, behind the last event, whenever the connection is lost; it ends
  /// with ``LiveEvent/gone``, with a refusal, or with the task that reads it. Nothing is missed:
  /// what happened in between comes first.
  ///
  /// - Parameters:
  ///   - list: nil for the inventory.
  ///   - revision: nil: from now on.
  public func events(of list: List.ID? = nil, since revision: Int? = nil) -> LiveEvents {
    LiveEvents(
      rowhouse: self, path: list.map { "/v1/lists/\($0)/events" } ?? "/v1/events",
      since: revision.map { "\($0)" })
  }
}

/// The events of a list or an inventory, as they come.
public struct LiveEvents: AsyncSequence, Sendable {
  public typealias Element = LiveEvent
  public typealias Failure = RowhouseError

  let rowhouse: Rowhouse
  let path: String
  let since: String?

  public func makeAsyncIterator() -> Iterator {
    Iterator(rowhouse: rowhouse, path: path, parser: EventStreamParser(lastID: since))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let rowhouse: Rowhouse
    let path: String
    var parser: EventStreamParser
    private var connection: EventConnection?
    private var bytes: EventConnection.Bytes.AsyncIterator?
    private var waiting: [LiveEvent] = []
    private var failures = 0
    private var hasConnected = false
    private var isOver = false

    init(rowhouse: Rowhouse, path: String, parser: EventStreamParser) {
      self.rowhouse = rowhouse
      self.path = path
      self.parser = parser
    }

    public mutating func next() async throws(RowhouseError) -> LiveEvent? {
      try await next(isolation: #isolation)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RowhouseError) -> LiveEvent? {
      while waiting.isEmpty {
        if isOver || Task.isCancelled { return nil }
        if bytes == nil { try connect() }
        switch await bytes?.next(isolation: actor) {
        case .bytes(let piece):
          failures = 0
          hasConnected = true
          try take(parser.feed(piece))
        case .refused(let error):
          try await pause(error, isolation: actor)
        case nil:
          try await pause(nil, isolation: actor)
        }
      }
      let event = waiting.removeFirst()
      if event == .gone { isOver = true }
      return event
    }

    private mutating func connect() throws(RowhouseError) {
      var call = Call.get(path)
      call.fields.append(("Accept", "text/event-stream"))
      if let last = parser.lastID { call.fields.append(("Last-Event-ID", last)) }
      // A line that was cut off is sent again.
      parser = EventStreamParser(lastID: parser.lastID)
      let connection = EventConnection(try rowhouse.request(for: call), like: rowhouse.session)
      self.connection = connection
      bytes = connection.bytes.makeAsyncIterator()
    }

    private mutating func take(_ events: [ServerSentEvent]) throws(RowhouseError) {
      for event in events {
        switch event.name {
        case "change":
          let body = Data(event.data.utf8)
          do {
            waiting.append(.change(try JSONCoding.decoder.decode(LiveChange.self, from: body)))
          } catch {
            throw .unreadable(status: 200, body: body, underlying: error)
          }
        case "resync": waiting.append(.resync(revision: parser.lastID.flatMap { Int($0) } ?? 0))
        case "gone": waiting.append(.gone)
        // A kind that is yet to be invented.
        default: break
        }
      }
    }

    /// Waits before the next connection.
    ///
    /// - Throws: what another connection would not mend.
    private mutating func pause(
      _ error: RowhouseError?, isolation actor: isolated (any Actor)?
    ) async throws(RowhouseError) {
      connection = nil
      bytes = nil
      if Task.isCancelled { return }
      if let problem = error?.problem, problem.status < 500, problem.status != 429 {
        if hasConnected, RowhouseError.refused(problem).tellsOfLoss {
          // It went while the stream was cut off.
          waiting.append(.gone)
          return
        }
        isOver = true
        throw .refused(problem)
      }
      failures += 1
      let asked = failures == 1 ? parser.retry.map { Duration.milliseconds($0) } : nil
      let delay = asked ?? Swift.max(rowhouse.retries.delay(after: failures), .milliseconds(200))
      try? await Task.sleep(for: delay)
    }
  }
}
