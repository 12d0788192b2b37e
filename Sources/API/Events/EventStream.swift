import HTTP
import Inventory
import Synchronization

/// One client's events: `text/event-stream` as the HTML standard has it
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// It remembers up to which revision its client has been told everything, and what of the last event is still to be
/// sent. There is no queue: to a client that does not read nothing more is made, and when it reads again, one event
/// covers all that it has missed.
final class EventStream: BodySource {
  /// What it tells of: a list's rows, or the whole inventory where there is none.
  let list: ListID?
  let context: ResponseContext
  /// The inventory's revision when it was asked for.
  let present: Revision
  private let streams: EventStreams
  /// Held for as long as the stream is.
  private let place: EventStreamPlace
  private let state: Mutex<State>

  private struct State {
    var sentUpTo: Revision
    /// The last id that the client was sent.
    var lastID: Revision
    /// Bytes on their way to the client, and how many of them it has been given.
    var outbox: [UInt8]
    var given = 0
    /// Whether the stream ends behind them.
    var isLast = false
    /// Whether a read that takes long is making its next event.
    var isCatchingUp = false
    /// Whether it could not take what there may have been for it.
    var wasPassedOver = false
    var signal: StreamSignal?
    var owesHeartbeat = false
    /// When the next heartbeat is due, in the loop's milliseconds; 0: not known yet.
    var heartbeat: Int64 = 0
  }

  /// - Parameter since: the revision up to which the client knows everything.
  init(
    of list: ListID?, since: Revision, present: Revision, for context: ResponseContext,
    in streams: EventStreams, _ place: EventStreamPlace
  ) {
    self.list = list
    self.present = present
    self.context = context
    self.streams = streams
    self.place = place
    // A client that names a revision to come is sent a resync next. Until then it keeps its id.
    let opening = since <= present ? EventText.opening(since) : EventText.comment
    state = Mutex(State(sentUpTo: since, lastID: since, outbox: opening))
  }

  var isEndless: Bool { true }

  func started(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
    streams.add(self)
  }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    let (supply, isBehind) = state.withLock { state in
      let end = min(state.outbox.count, state.given + limit)
      output += state.outbox[state.given..<end]
      state.given = end
      guard end == state.outbox.count else { return (Supply.more, false) }
      state.outbox = []
      state.given = 0
      guard !state.isLast else { return (.end, false) }
      if state.owesHeartbeat {
        state.owesHeartbeat = false
        if state.lastID == state.sentUpTo {
          output += EventText.comment
        } else {
          output += EventText.position(state.sentUpTo)
          state.lastID = state.sentUpTo
        }
      }
      defer { state.wasPassedOver = false }
      return (.wait, state.wasPassedOver)
    }
    if isBehind { streams.lookAgain() }
    return supply
  }

  func ended(_ ending: StreamEnding) {
    if case .readerTooSlow = ending { place.wasDropped() }
    streams.remove(self)
  }

  /// The revision to go on from; nil while an event is on its way, or to whom the next one is not left.
  func position(isCatchingUp: Bool) -> Revision? {
    state.withLock { state in
      guard state.outbox.isEmpty else {
        state.wasPassedOver = true
        return nil
      }
      return !state.isLast && state.isCatchingUp == isCatchingUp ? state.sentUpTo : nil
    }
  }

  /// Leaves the next event to a read that takes long.
  func startCatchingUp() { state.withLock { $0.isCatchingUp = true } }

  func stopCatchingUp() { state.withLock { $0.isCatchingUp = false } }

  /// Takes what follows `position`; false if the stream has been given something else meanwhile.
  func take(_ next: NextEvent, after position: Revision) -> Bool {
    let signal: StreamSignal? = state.withLock { state in
      guard state.outbox.isEmpty, !state.isLast, state.sentUpTo == position else { return nil }
      state.sentUpTo = next.revision
      state.isLast = next.isLast
      state.outbox = next.bytes
      if !next.bytes.isEmpty { state.lastID = next.revision }
      return next.bytes.isEmpty ? nil : state.signal
    }
    signal?.resume()
    return signal != nil
  }

  /// Sends a heartbeat if one is due, or nearly. Returns when the next one is due.
  func beat(at now: Int64, every interval: Int64) -> Int64 {
    let (next, signal) = state.withLock { state -> (Int64, StreamSignal?) in
      if state.heartbeat == 0 {
        state.heartbeat = now + interval
      } else if state.heartbeat <= now + interval / 16 {
        state.heartbeat = now + interval
        state.owesHeartbeat = true
        return (state.heartbeat, state.signal)
      }
      return (state.heartbeat, nil)
    }
    signal?.resume()
    return next
  }
}
