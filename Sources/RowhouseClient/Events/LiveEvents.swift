import Foundation

/// The events of a list or an inventory, as they arrive.
///
/// A reader may be slow. A few megabytes of events are kept for it, and later changes arrive as one event.
public struct LiveEvents: AsyncSequence, Sendable {
  public typealias Element = LiveEvent
  public typealias Failure = RowhouseError

  let rowhouse: Rowhouse
  let path: Path
  let since: String?
  /// The most bytes that may wait for the reader.
  var limit = 4 << 20
  /// Whether to report a position as a change without content: the first event of each connection, and now and then one
  /// after changes that the caller does not see.
  var tellsPositions = false
  /// Called when a connection has ended.
  var onDisconnect: @Sendable () -> Void = {}

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  public struct Iterator: AsyncIteratorProtocol {
    private let events: LiveEvents
    private var parser: EventStreamParser
    private var connection: EventConnection?
    private var pieces: EventConnection.Pieces.AsyncIterator?
    private var waiting: [LiveEvent] = []
    private var backoff: Backoff
    private var hasConnected = false
    private var isOver = false

    init(_ events: LiveEvents) {
      self.events = events
      parser = EventStreamParser(lastID: events.since)
      backoff = Backoff(events.rowhouse.retries)
    }

    public mutating func next() async throws(RowhouseError) -> LiveEvent? {
      try await next(isolation: #isolation)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RowhouseError) -> LiveEvent? {
      while waiting.isEmpty {
        if isOver || Task.isCancelled { return nil }
        if pieces == nil { try connect() }
        switch await pieces?.next(isolation: actor) {
        case .bytes(let piece):
          connection?.hasTaken(piece)
          try take(parser.feed(piece))
          // Another server may answer with a stream that never sends a block.
          if parser.hasBlock {
            hasConnected = true
            backoff.reset()
          }
        case .failure(let error, let seconds):
          try await pause(error, asked: seconds.map { .seconds($0) }, isolation: actor)
        case nil:
          try await pause(nil, asked: nil, isolation: actor)
        }
      }
      let event = waiting.removeFirst()
      if event == .gone { isOver = true }
      return event
    }

    private mutating func connect() throws(RowhouseError) {
      var call = Call.get(events.path)
      call.fields.append(("Accept", "text/event-stream"))
      if let last = parser.lastID { call.fields.append(("Last-Event-ID", last)) }
      // The server sends a block again that was cut off.
      parser = EventStreamParser(lastID: parser.lastID)
      let rowhouse = events.rowhouse
      let connection = EventConnection(
        try rowhouse.request(for: call), like: rowhouse.session, limit: events.limit)
      self.connection = connection
      pieces = connection.pieces.makeAsyncIterator()
    }

    private mutating func take(_ events: [ServerSentEvent]) throws(RowhouseError) {
      for event in events {
        switch event.name {
        case "change":
          let body = Data(event.data.utf8)
          do {
            waiting.append(.change(try JSONCoding.decoder.decode(LiveChange.self, from: body)))
          } catch {
            isOver = true
            throw .unreadable(status: 200, body: body, underlying: error)
          }
        case "resync": waiting.append(.resync(revision: event.id.flatMap { Int($0) } ?? 0))
        case "gone": waiting.append(.gone)
        case "position" where self.events.tellsPositions:
          let revision = event.id.flatMap { Int($0) } ?? 0
          waiting.append(.change(LiveChange(fromRevision: revision, revision: revision)))
        // An event of a newer server.
        default: break
        }
      }
    }

    /// Waits before the next connection.
    ///
    /// - Throws: An error that another connection would not solve.
    private mutating func pause(
      _ error: RowhouseError?, asked: Duration?, isolation actor: isolated (any Actor)?
    ) async throws(RowhouseError) {
      connection = nil
      pieces = nil
      if Task.isCancelled { return }
      events.onDisconnect()
      if let error, !Self.isMendable(error) {
        isOver = true
        // The list was deleted while the stream was disconnected.
        guard hasConnected, error.tellsOfLoss else { throw error }
        waiting.append(.gone)
        return
      }
      let asked = parser.retry.map { Swift.max(asked ?? .zero, .milliseconds($0)) } ?? asked
      await backoff.pause(asked: asked)
    }

    private static func isMendable(_ error: RowhouseError) -> Bool {
      switch error {
      // The connection cancelled itself because the reader was too slow.
      case .cancelled: true
      // The login page of a network.
      case .unreadable(200..<300, _, _): true
      default: error.mayPass
      }
    }
  }
}
