import HTTP
import Inventory
import Synchronization

/// Serves the event streams of one loop.
///
/// After commits, one pass reads the new steps of the change log and gives each stream its next event. `EventBatcher`
/// defines the span of a stream.
///
/// Passes are paced: the pause after a pass and its sending is seven times as long as both took. Streams therefore take
/// at most an eighth of a loop's time, unless the pause would be longer than a second. The steps during a pause become
/// one event.
final class EventStreams: Sendable {
  /// The most steps of one span that a pass on the loop reads. Longer spans are read on the store's workers.
  private static let shortSpan = 100
  /// The number of bytes after which a pass ends, because sending them takes the loop's time, too.
  private static let mostBytes = 1 << 20
  /// The longest pause, and the pause after a failure of the store, in milliseconds.
  private static let longestPause: Int64 = 1_000

  private struct State {
    var streams: [EventStream] = []
    var positions: [ObjectIdentifier: Int] = [:]
    /// The stream at which the next pass begins, so that every stream is served when passes end early.
    var first = 0
    /// Streams whose span is too long for a pass on the loop.
    var behind: [EventStream] = []
    /// Whether a pass on the workers is under way. Streams that are behind wait for the next one, so that tokens take turns.
    var isCatchingUp = false
    /// The tokens whose streams the last pass on the workers served.
    var servedLast: Set<TokenID?> = []
    /// Whether the store has failed, so that the next pass should wait.
    var hasFailed = false
    /// Whether a stream may be behind although there was no commit.
    var isDue = false
    /// Whether a pass runs. With PostgreSQL, it runs on another thread.
    var isServing = false
    /// The earliest time of the next pass, in the loop's milliseconds.
    var earliestPass: Int64 = 0
    /// The start of the pass whose events are being sent.
    var sendingSince: ContinuousClock.Instant?
    /// The time of the next heartbeat, in the loop's milliseconds.
    var heartbeat = Int64.max
  }

  /// The result of a pass.
  private struct Served: Sendable {
    var hasSent = false
    /// Whether the store failed for some streams, which must be served again.
    var hasFailed = false
    /// The stream at which the pass ended early. Nil if all were served.
    var cutAt: Int?
    var behind: [EventStream] = []
  }

  private let waker: LoopWaker
  private let isAuthorized: @Sendable (Caller) -> Bool
  /// Milliseconds between heartbeats.
  private let interval: Int64
  /// See `Configuration.eventPass`.
  private let longestPass: Duration
  private let state = Mutex(State())
  private let hasNews = Atomic<Bool>(false)

  /// - Parameter isAuthorized: whether the caller is still authorized.
  init(
    _ waker: LoopWaker, heartbeat interval: Int64, longestPass: Duration,
    isAuthorized: @escaping @Sendable (Caller) -> Bool
  ) {
    self.isAuthorized = isAuthorized
    self.waker = waker
    self.interval = interval
    self.longestPass = longestPass
  }

  /// Called after each commit, from any thread.
  func commitDidPublish() {
    hasNews.store(true, ordering: .sequentiallyConsistent)
    waker.wake()
  }

  /// Called from any thread when an earlier state of the store was brought back.
  func stateDidReturn() {
    for stream in state.withLock({ $0.streams }) { stream.losePosition() }
    commitDidPublish()
  }

  func add(_ stream: EventStream) {
    state.withLock { state in
      state.positions[ObjectIdentifier(stream)] = state.streams.count
      state.streams.append(stream)
      state.isDue = true
      state.heartbeat = 0
    }
  }

  func remove(_ stream: EventStream) {
    state.withLock { state in
      guard let position = state.positions.removeValue(forKey: ObjectIdentifier(stream)) else {
        return
      }
      state.behind.removeAll { $0 === stream }
      let last = state.streams.removeLast()
      if last !== stream {
        state.streams[position] = last
        state.positions[ObjectIdentifier(last)] = position
      }
    }
  }

  /// Requests a pass without a commit, because a stream may be behind.
  func lookAgain() { state.withLock { $0.isDue = true } }

  /// Does the work that is due. Returns the time of the next work, in the loop's milliseconds; nil without streams.
  func work(_ session: any ReadSession, now: Int64) -> Int64? {
    guard state.withLock({ !$0.streams.isEmpty }) else { return nil }
    settleCost(now)
    catchUp(session)
    let heartbeat = beat(now)
    if !isDue {
      waker.arm()
      // A commit just before `arm` did not wake the loop.
      guard isDue else { return heartbeat }
    }
    let (earliest, isServing) = state.withLock { ($0.earliestPass, $0.isServing) }
    // Two passes at once could send a stream the older of two events, with none to follow. The end of a pass wakes the loop.
    guard !isServing else { return heartbeat }
    guard now >= earliest else { return min(earliest, heartbeat) }
    serve(session, now)
    catchUp(session)
    let next = state.withLock {
      $0.isDue && $0.sendingSince == nil ? max(now, $0.earliestPass) : .max
    }
    return min(next, heartbeat)
  }

  private var isDue: Bool {
    hasNews.load(ordering: .sequentiallyConsistent) || state.withLock { $0.isDue }
  }

  /// Sets the earliest time of the next pass. Called after the events of the last pass have been sent.
  private func settleCost(_ now: Int64) {
    state.withLock { state in
      if state.hasFailed {
        state.hasFailed = false
        state.earliestPass = now + Self.longestPause
      }
      guard let start = state.sendingSince else { return }
      state.sendingSince = nil
      state.earliestPass = now + Self.pause(after: start.duration(to: .now))
    }
  }

  /// The pause in milliseconds.
  private static func pause(after cost: Duration) -> Int64 {
    min(longestPause, Int64(cost / .microseconds(1)) * 7 / 1_000)
  }

  private func beat(_ now: Int64) -> Int64 {
    let streams = state.withLock { $0.heartbeat <= now ? $0.streams : [] }
    guard !streams.isEmpty else { return state.withLock { $0.heartbeat } }
    let next = streams.reduce(.max) { min($0, $1.beat(at: now, every: interval)) }
    // A token may have expired since the last commit. The next pass ends its streams.
    let mustEnd = streams.contains { !isAuthorized($0.context.caller) }
    state.withLock { state in
      state.heartbeat = next
      if mustEnd { state.isDue = true }
    }
    return next
  }

  /// Runs one pass over all streams.
  private func serve(_ session: any ReadSession, _ now: Int64) {
    let (streams, first) = state.withLock { state in
      state.isDue = false
      state.isServing = true
      return (state.streams, state.first)
    }
    // Reset before the snapshot is taken, so that a later commit causes another pass.
    hasNews.store(false, ordering: .sequentiallyConsistent)
    waker.arm()
    let start = ContinuousClock.now
    let end = start + longestPass
    let isAuthorized = isAuthorized
    let result = session.read(.bounded, as: .local) { (snapshot) throws(InventoryError) in
      Self.serve(
        streams, from: first,
        EventBatcher(snapshot, limit: Self.shortSpan, isAuthorized: isAuthorized),
        until: end)
    } later: { result in
      self.finish(result)
      self.ring()
    }
    guard let result else { return }
    finish(result)
    guard case .success(let served) = result else { return }
    state.withLock { state in
      if served.hasSent {
        state.sendingSince = start
      } else {
        state.earliestPass = now + Self.pause(after: start.duration(to: .now))
      }
    }
  }

  private func finish(_ result: Result<Served, InventoryError>) {
    state.withLock { state in
      state.isServing = false
      switch result {
      case .success(let served):
        state.first = served.cutAt ?? 0
        state.behind += served.behind
        if served.hasFailed { state.hasFailed = true }
        if served.hasFailed || served.cutAt != nil { state.isDue = true }
      case .failure:
        // These events are still unsent, and there may be no other commit for hours.
        state.hasFailed = true
        state.isDue = true
      }
    }
  }

  private func ring() {
    waker.arm()
    waker.wake()
  }

  /// Serves the streams with long spans on the store's workers.
  private func catchUp(_ session: any ReadSession) {
    let streams = state.withLock { state -> [EventStream] in
      guard !state.isCatchingUp, !state.behind.isEmpty else { return [] }
      state.isCatchingUp = true
      let behind = Self.inTurns(state.behind, after: state.servedLast)
      state.behind = []
      return behind
    }
    guard !streams.isEmpty else { return }
    @Sendable func finish(_ result: Result<Served, InventoryError>) {
      let served = try? result.get()
      // Of one token's streams, the next pass serves those first that this pass did not serve.
      let end = served?.cutAt.flatMap { $0 > 0 ? $0 : nil } ?? streams.count
      for stream in streams[..<end] { stream.stopCatchingUp() }
      state.withLock { state in
        state.isCatchingUp = false
        state.behind.insert(contentsOf: streams[end...], at: 0)
        state.servedLast = Set(streams[..<end].map(\.context.caller.token))
        if served?.hasFailed ?? true { state.hasFailed = true }
        // The streams may be behind again.
        state.isDue = true
      }
      ring()
    }
    let isAuthorized = isAuthorized
    let result = session.read(.long, as: .local) { (snapshot) throws(InventoryError) in
      Self.serve(
        streams, from: 0,
        EventBatcher(snapshot, limit: Activity.maximumSteps, isAuthorized: isAuthorized),
        until: nil)
    } later: { result in
      finish(result)
    }
    if let result { finish(result) }
  }

  /// The streams in an order in which tokens take turns. The tokens that were served last come after the others.
  private static func inTurns(
    _ streams: [EventStream], after served: Set<TokenID?>
  ) -> [EventStream] {
    var turns: [TokenID?: Int] = [:]
    let ordered = streams.enumerated().map { place, stream in
      let token = stream.context.caller.token
      let turn = turns[token] ?? (served.contains(token) ? 1 : 0)
      turns[token] = turn + 1
      return (turn: turn, place: place, stream: stream)
    }
    return ordered.sorted { ($0.turn, $0.place) < ($1.turn, $1.place) }.map(\.stream)
  }

  private static func serve(
    _ streams: [EventStream], from first: Int, _ pass: consuming EventBatcher,
    until end: ContinuousClock.Instant?
  ) -> Served {
    var served = Served()
    var sent = 0
    for offset in streams.indices {
      let index = (first + offset) % streams.count
      let stream = streams[index]
      guard let position = stream.position(isCatchingUp: end == nil) else { continue }
      let count = pass.count
      switch pass.find(for: stream, since: position) {
      case .next(let next):
        if stream.take(next, after: position) { sent += next.bytes.count }
      case .tooMuch where end == nil: break
      case .tooMuch:
        stream.startCatchingUp()
        served.behind.append(stream)
      case .failed: served.hasFailed = true
      case .nothing: break
      }
      let isLong = pass.count > count && end.map { ContinuousClock.now >= $0 } ?? false
      if isLong || sent >= mostBytes {
        served.cutAt = (index + 1) % streams.count
        break
      }
    }
    served.hasSent = sent > 0
    return served
  }
}
