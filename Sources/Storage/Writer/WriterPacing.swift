/// Spreads long work on the writer's thread, so that short writes of other callers wait little.
///
/// A write that will take about `t` milliseconds begins `3 t²` milliseconds after the last long one. A short write that
/// comes at a random time then waits for a sixth of a millisecond on average, however long the others are. While no
/// other caller writes, nothing waits.
struct WriterPacing {
  typealias Turn = PendingWrite.Turn
  typealias Instant = ContinuousClock.Instant

  /// The average duration of each caller's writes, without those whose writes are short.
  private var averages: [Turn: Duration] = [:]
  /// The end of the last long write.
  private var lastLong: Instant?
  /// The time before which no long write begins, because a checkpoint has just delayed the others.
  private var due: Instant?
  /// Whether there were long writes since the last checkpoint.
  private var hasRunLong = false
  /// The turn that wrote last, and when.
  private var last: (turn: Turn, time: Instant)?
  /// The time of the last write of another caller than that.
  private var lastOther: Instant?
  /// The time of the last short write.
  private var lastShort: Instant?

  /// Work that takes longer is long.
  static let long: Duration = .milliseconds(2)
  private static let maximumPause: Duration = .seconds(1)
  /// How long a caller counts as writing after a write.
  private static let attention: Duration = .milliseconds(100)
  /// The maximum number of averages. More callers than that seldom write at the same time.
  private static let averagesLimit = 4_096

  /// The pause for work of this duration.
  static func pause(for work: Duration) -> Duration {
    guard work > long else { return .zero }
    let milliseconds = work / .milliseconds(1)
    return min(.milliseconds(3 * milliseconds * milliseconds), maximumPause)
  }

  /// Counts a write that ran until `now`.
  mutating func ran(_ turn: Turn, for duration: Duration, now: Instant) {
    if let last, last.turn.caller != turn.caller { lastOther = last.time }
    last = (turn, now)
    // One write that was slow by chance must not make its caller wait. Short ones must not hide long ones.
    var average = averages[turn] ?? .zero
    average += (duration - average) / (duration > average ? 2 : 8)
    if averages.count >= Self.averagesLimit { averages = [:] }
    averages[turn] = average > Self.long / 8 ? average : nil
    guard isLong(turn) else {
      lastShort = now
      return
    }
    hasRunLong = true
    lastLong = now
  }

  /// Counts a checkpoint that ran until `now`. It only delays long writes if there were some before it: otherwise the
  /// checkpoints of many short writes could hold them back forever.
  mutating func ranCheckpoint(for duration: Duration, now: Instant) {
    guard hasRunLong, duration > Self.long else { return }
    hasRunLong = false
    due = now + Self.pause(for: duration)
  }

  /// Whether a caller's writes take long. Pieces of long work always count.
  func isLong(_ turn: Turn) -> Bool { turn.isPiece || (averages[turn] ?? .zero) > Self.long }

  /// Whether a caller's write may begin.
  func mayBegin(_ turn: Turn, now: Instant) -> Bool {
    guard isLong(turn), othersWrite(than: turn, now: now) else { return true }
    return now >= begin(of: turn)
  }

  /// The earliest time of a caller's write while others write.
  private func begin(of turn: Turn) -> Instant {
    let own = lastLong.map { $0 + Self.pause(for: averages[turn] ?? .zero) }
    return [own, due].compactMap(\.self).max() ?? .now
  }

  /// The time after which to look again for writes that may begin; nil if none is held back.
  func poll(now: Instant) -> Duration? {
    let end = [lastLong.map { $0 + Self.maximumPause }, due].compactMap(\.self).max()
    return end.flatMap { now < $0 ? .milliseconds(5) : nil }
  }

  /// Whether a caller other than this one has written a moment ago.
  private func othersWrite(than turn: Turn, now: Instant) -> Bool {
    guard let last else { return false }
    let time = last.turn.caller == turn.caller ? lastOther : last.time
    return time.map { now < $0 + Self.attention } ?? false
  }

  /// The pause after background work of this duration: zero while there are no short writes.
  func pause(afterBackground duration: Duration, now: Instant) -> Duration {
    guard let lastShort, now < lastShort + Self.attention else { return .zero }
    return Self.pause(for: duration)
  }
}
