import HTTP
import Inventory
import Synchronization

/// One client's event stream: `text/event-stream` of the HTML standard
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// It stores the revision that the client has reached and the unsent rest of the last event. There is no queue: a
/// client that does not read gets no further events. When it reads again, one event covers everything that it
/// missed.
final class EventStream: BodySource {
  /// The list to follow. Nil: the whole inventory.
  let list: ListID?
  let context: ResponseContext
  /// The inventory's revision at the time of the request.
  let present: Revision
  private let streams: EventStreams
  /// Held while the stream is open.
  private let place: EventStreamPlace
  private let state: Mutex<State>

  private struct State {
    var sentUpTo: Revision
    /// Whether `sentUpTo` counts changes of a state that is gone.
    var isLost = false
    /// The last id sent to the client.
    var lastID: Revision
    /// The bytes of the current event, and how many of them were sent.
    var outbox: [UInt8]
    var given = 0
    /// Whether the stream ends after the outbox.
    var isLast = false
    /// Whether a long read is making the next event.
    var isCatchingUp = false
    /// Whether a pass skipped the stream because its outbox was not empty.
    var wasPassedOver = false
    var signal: StreamSignal?
    var owesHeartbeat = false
    /// The time of the next heartbeat in the loop's milliseconds; 0 until it is set.
    var heartbeat: Int64 = 0

    /// Whether a snapshot has shown that `sentUpTo` exists. A client may begin with a revision that does not.
    var isConfirmed: Bool
    /// The revision that the client has reached. After `losePosition`, a revision in the future. The next event is then
    /// `resync`.
    var position: Revision { isLost ? Revision(.max) : sentUpTo }
  }

  /// - Parameter since: the revision that the client already has.
  init(
    of list: ListID?, since: Revision, present: Revision, for context: ResponseContext,
    in streams: EventStreams, _ place: EventStreamPlace
  ) {
    self.list = list
    self.present = present
    self.context = context
    self.streams = streams
    self.place = place
    // A revision in the future is answered with a resync event. Until then the client keeps its last event id.
    let exists = since <= present
    let opening = exists ? EventText.opening(since) : EventText.comment
    // It stays lost even if commits reach that revision before the first look.
    state = Mutex(
      State(
        sentUpTo: since, isLost: !exists, lastID: since, outbox: opening, isConfirmed: exists))
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
    // A long read that has begun may still offer an event, which `take` then refuses.
    state.withLock { $0.isLast = true }
    streams.remove(self)
  }

  /// The revision that the stream has reached. Nil if the stream has unsent bytes or is ending, or if the other kind of
  /// pass makes its next event.
  ///
  /// - Parameter isCatchingUp: whether the pass is a long read, and not a pass on the loop.
  func position(isCatchingUp: Bool) -> Revision? {
    state.withLock { state in
      guard state.outbox.isEmpty else {
        state.wasPassedOver = true
        return nil
      }
      return !state.isLast && state.isCatchingUp == isCatchingUp ? state.position : nil
    }
  }

  /// Whether the stream has reached this position by events. A snapshot that does not have it yet is older than the stream:
  /// the pass that reads it began before another one.
  func hasReached(_ position: Revision) -> Bool {
    state.withLock { $0.isConfirmed && !$0.isLost && $0.sentUpTo >= position }
  }

  /// Makes the next event a resync event, because the revisions may belong to other changes now.
  func losePosition() { state.withLock { $0.isLost = true } }

  /// Leaves the next event to a long read.
  func startCatchingUp() { state.withLock { $0.isCatchingUp = true } }

  func stopCatchingUp() { state.withLock { $0.isCatchingUp = false } }

  /// Accepts the event after `position`. False if the stream has moved on or the event has no bytes.
  func take(_ next: NextEvent, after position: Revision) -> Bool {
    let signal: StreamSignal? = state.withLock { state in
      guard state.outbox.isEmpty, !state.isLast, state.position == position else { return nil }
      state.sentUpTo = next.revision
      state.isConfirmed = true
      state.isLost = false
      state.isLast = next.isLast
      state.outbox = next.bytes
      if !next.bytes.isEmpty { state.lastID = next.revision }
      return next.bytes.isEmpty ? nil : state.signal
    }
    signal?.resume()
    return signal != nil
  }

  /// Sends a heartbeat if one is due or nearly due. Returns the time of the next one.
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
