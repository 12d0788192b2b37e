import Inventory

/// Spreads long work on the writer's thread, so that short writes of other callers wait little.
///
/// A write that will take about `t` milliseconds begins `5 t²` milliseconds after the last long one. If long writes
/// take at most 14 ms, a short write that comes at a random time then waits for a tenth of a millisecond on average.
/// Before a longer write the pause is 1 s. While no other caller makes shorter writes, nothing waits.
struct WriterPacing {
  typealias Turn = PendingWrite.Turn
  typealias Instant = ContinuousClock.Instant

  private struct Writing {
    let caller: TokenID?
    var time: Instant
    /// The average duration of the caller's writes.
    var average: Duration
  }

  /// The average duration of each caller's writes, without those whose writes are very short.
  private var averages: [Turn: Duration] = [:]
  /// The callers who have written a moment ago. Pieces of long work do not count.
  private var recent: [Writing] = []
  /// The end of the last long write.
  private var lastLong: Instant?
  /// No long write begins before this time, so that other callers can write after a long checkpoint.
  private var due: Instant?
  /// Whether there were long writes since the last checkpoint.
  private var hasRunLong = false

  /// Work that takes more time than this counts as long.
  static let long: Duration = .milliseconds(2)
  private static let maximumPause: Duration = .seconds(1)
  /// How long a caller counts as writing after a write.
  private static let attention: Duration = .milliseconds(100)
  /// A caller's writes wait if they take this many times as long as those of another. On a slow machine all writes take
  /// long, and then none must wait.
  private static let ratio = 4
  /// The maximum number of callers in `recent`, and in `averages`.
  private static let (recentLimit, averagesLimit) = (8, 4_096)

  /// The pause for work of this duration.
  static func pause(for work: Duration) -> Duration {
    guard work > long else { return .zero }
    let milliseconds = work / .milliseconds(1)
    return min(.milliseconds(5 * milliseconds * milliseconds), maximumPause)
  }

  /// The time that the writer will need for changed text after its write: to index it, to copy it into the database, and
  /// to delete it from the history.
  ///
  /// An edit of 64 KiB of unusual words, which changes twice as much text, was measured to need ten milliseconds.
  static func laterWork(of text: Int) -> Duration { .microseconds(text / 16) }

  /// Counts a write that ran until `now`, with its later work.
  mutating func ran(_ turn: Turn, for duration: Duration, now: Instant) {
    // One write that was slow by chance must not make its caller wait. Short ones must not hide long ones.
    var average = averages[turn] ?? .zero
    average += (duration - average) / (duration > average ? 2 : 8)
    if averages.count >= Self.averagesLimit { averages = [:] }
    averages[turn] = average > Self.long / 8 ? average : nil
    if !turn.isPiece { note(Writing(caller: turn.caller, time: now, average: average)) }
    guard isLong(turn) else { return }
    hasRunLong = true
    lastLong = now
  }

  private mutating func note(_ writing: Writing) {
    recent.removeAll { $0.caller == writing.caller || writing.time >= $0.time + Self.attention }
    recent.append(writing)
    // Callers of long writes must not displace those for whom long writes wait.
    if recent.count > Self.recentLimit,
      let longest = recent.indices.max(by: { recent[$0].average < recent[$1].average })
    {
      recent.remove(at: longest)
    }
  }

  /// Counts a checkpoint that ran until `now`. It only delays long writes if there were some before it: otherwise the
  /// checkpoints of many short writes could hold them back forever.
  mutating func ranCheckpoint(for duration: Duration, now: Instant) {
    guard hasRunLong, duration > Self.long else { return }
    hasRunLong = false
    due = now + Self.pause(for: duration)
  }

  /// Whether a caller's writes take long. Pieces of long work always count.
  private func isLong(_ turn: Turn) -> Bool { turn.isPiece || average(of: turn) > Self.long }

  private func average(of turn: Turn) -> Duration { averages[turn] ?? .zero }

  /// Whether a caller's write may begin.
  func mayBegin(_ turn: Turn, now: Instant) -> Bool {
    isRested(turn, now: now) || !othersWrite(than: turn, now: now)
  }

  /// Whether a caller's write is short, or the pause before it is over.
  private func isRested(_ turn: Turn, now: Instant) -> Bool {
    guard isLong(turn) else { return true }
    let own = lastLong.map { $0 + Self.pause(for: average(of: turn)) }
    return [own, due].compactMap(\.self).allSatisfy { $0 <= now }
  }

  /// The rank of a caller's write among those that wait to begin a group. The lowest rank is first. Nil if the write
  /// may not begin.
  ///
  /// Changes and pieces take turns, so that neither waits for more than one group of the other. Of the changes, a long
  /// one comes after short ones until its pause is over, even if the callers of the short ones have not written
  /// recently. Otherwise a hundred callers with long writes would all come first.
  func rank(of turn: Turn, afterPieces: Bool, now: Instant) -> Int? {
    guard mayBegin(turn, now: now) else { return nil }
    if turn.isPiece { return afterPieces ? 2 : 0 }
    return (isRested(turn, now: now) ? 0 : 1) + (afterPieces ? 0 : 1)
  }

  /// The same for a write that would be added to a group that begins with a write of `first`. A long write
  /// joins a group of short writes only after its pause.
  func rank(of turn: Turn, in first: Turn, now: Instant) -> Int? {
    guard mayBegin(turn, now: now) else { return nil }
    if isRested(turn, now: now) { return 0 }
    return isLong(first) ? 1 : nil
  }

  /// The time after which to look again for writes that may begin; nil if none can be held back.
  func poll(now: Instant) -> Duration? {
    let end = [lastLong.map { $0 + Self.maximumPause }, due].compactMap(\.self).max()
    return end.flatMap { now < $0 ? .milliseconds(5) : nil }
  }

  /// Whether another caller has made a shorter write a moment ago.
  private func othersWrite(than turn: Turn, now: Instant) -> Bool {
    let bound = turn.isPiece ? Duration.seconds(1) : average(of: turn) / Self.ratio
    return recent.contains {
      $0.caller != turn.caller && now < $0.time + Self.attention && $0.average <= bound
    }
  }

  /// The pause after background work of this duration: zero while there are no shorter writes.
  func pause(afterBackground duration: Duration, now: Instant) -> Duration {
    let bound = duration / Self.ratio
    let isShared = recent.contains { now < $0.time + Self.attention && $0.average <= bound }
    return isShared ? Self.pause(for: duration) : .zero
  }
}
