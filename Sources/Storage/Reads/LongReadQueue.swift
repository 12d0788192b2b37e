import Inventory

/// The queue of long reads that wait for a thread. A *patient read* is a read of everything, such as an export. It has
/// more time to run than other long reads.
///
/// Callers take turns, so that none takes all threads. A caller can run one patient read and one other read at a time.
/// Of the reads that may begin, the next one is from the caller whose last read began the longest ago.
///
/// The WAL can be truncated when no reader uses it. Overlapping reads, such as an export with searches before and after
/// it, would make it grow without end: "checkpoint starvation" (https://www.sqlite.org/wal.html, 6). So while the WAL
/// is too long and a long read prevents its truncation, the queue holds reads back:
///
/// - A patient read begins only after the truncation, or is refused at its deadline. If it had to wait for the hold
///   time only, exports that follow one another without a gap would let the WAL grow for ever.
/// - Another read is held back for at most the hold time. While a patient read runs, it is not held back, because the
///   patient read may take too long.
///
/// The WAL therefore grows by what is written during the longest read.
final class LongReadQueue<Job: Sendable>: Sendable {
  private struct Entry {
    let number: UInt64
    let job: Job
    let isPatient: Bool
    let requester: Requester
    /// The deadline. A waiting patient read must begin by then; it gets a new deadline when it begins.
    var end: ContinuousClock.Instant?
    /// Whether it runs past its deadline, and `late` has returned it.
    var isLate = false
    /// The maximum duration of a patient read, from its start on.
    let time: Duration?
    /// The end of the hold time. From then on, a read that is not patient is no longer held back for the WAL.
    let holdEnd: ContinuousClock.Instant
  }

  private struct State {
    var waiting: [Entry] = []
    var running: [Entry] = []
    /// The number of each caller's last turn.
    var turns: [Requester.Turn?: UInt64] = [:]
    var turn: UInt64 = 0
    var number: UInt64 = 0
    var isHoldingBack = false
    var isClosed = false
    /// The deadline of all reads.
    var lastEnd: ContinuousClock.Instant?

    /// Whether a read can be queued. A caller can use only a share of the capacity.
    func hasRoom(for requester: Requester, _ capacity: Int) -> Bool {
      guard waiting.count < capacity else { return false }
      guard let turn = requester.turn else { return true }
      return waiting.count { $0.requester.turn == turn } < max(1, capacity / LongReadQueue.share)
    }

    func mayBegin(_ entry: Entry, _ patientLimit: Int) -> Bool {
      if isClosed { return true }
      let patient = running.count { $0.isPatient }
      if entry.isPatient, patient >= patientLimit { return false }
      if let turn = entry.requester.turn,
        running.contains(where: { $0.requester.turn == turn && $0.isPatient == entry.isPatient })
      {
        return false
      }
      guard isHoldingBack else { return true }
      // A patient read waits for the truncation.
      if entry.isPatient { return false }
      // Another read waits for at most the hold time, and not while a patient read runs.
      return patient > 0 || ContinuousClock.now >= entry.holdEnd
    }

    mutating func take(_ patientLimit: Int) -> Entry? {
      let ready = waiting.indices.filter { mayBegin(waiting[$0], patientLimit) }
      let next = ready.min {
        turns[waiting[$0].requester.turn, default: 0]
          < turns[waiting[$1].requester.turn, default: 0]
      }
      guard let next else { return nil }
      var entry = waiting.remove(at: next)
      if entry.isPatient {
        entry.end = earlier(entry.time.map { ContinuousClock.now + $0 }, lastEnd)
      }
      running.append(entry)
      turn += 1
      turns[entry.requester.turn] = turn
      if turns.count > LongReadQueue.maximumTurns {
        let present = Set((waiting + running).map(\.requester.turn))
        turns = turns.filter { present.contains($0.key) }
      }
      return entry
    }

    /// Removes the last waiting read of the caller who has the most, if that is at least two more than `requester` has.
    mutating func giveWay(to requester: Requester) -> Job? {
      guard let turn = requester.turn else { return nil }
      var counts: [Requester.Turn: Int] = [:]
      for case let turn? in waiting.map(\.requester.turn) { counts[turn, default: 0] += 1 }
      guard let most = counts.max(by: { $0.value < $1.value }),
        most.value > counts[turn, default: 0] + 1,
        let last = waiting.lastIndex(where: { $0.requester.turn == most.key })
      else { return nil }
      return waiting.remove(at: last).job
    }

    mutating func removeAll(where isAbandoned: (Entry) -> Bool) -> [Job] {
      let given = waiting.filter(isAbandoned)
      waiting.removeAll(where: isAbandoned)
      return given.map(\.job)
    }

    /// The next deadline.
    var nextEnd: ContinuousClock.Instant? { (waiting + running).compactMap(\.end).min() }

    mutating func takeLate(at now: ContinuousClock.Instant) -> [Job] {
      func isLate(_ entry: Entry) -> Bool { entry.end.map { $0 <= now } ?? false }
      var late = removeAll(where: isLate)
      for index in running.indices where isLate(running[index]) {
        late.append(running[index].job)
        running[index].end = nil
        running[index].isLate = true
      }
      return late
    }
  }

  private enum Found {
    case entry(Entry)
    /// Jobs are waiting, but all are held back.
    case heldBack
    case closed
  }

  private let monitor = Monitor(State())
  private let capacity: Int
  private let holdTime: Duration
  /// The maximum number of patient reads that run at a time.
  private let patientLimit: Int
  /// The interval at which jobs that are held back are checked.
  private static var pause: Duration { .milliseconds(50) }
  /// A caller can use this part of the capacity: a quarter.
  private static var share: Int { 4 }
  /// The maximum number of stored turns. Beyond it, turns of callers without reads are removed.
  private static var maximumTurns: Int { 1_024 }

  /// - Parameter holdTime: the maximum time for which a read that is not patient is held back.
  init(capacity: Int, holdTime: Duration, patientLimit: Int = .max) {
    self.capacity = capacity
    self.holdTime = holdTime
    self.patientLimit = patientLimit
  }

  /// The numbers of running and of waiting reads.
  var counts: (running: Int, waiting: Int) {
    monitor.withLock { ($0.running.count, $0.waiting.count) }
  }

  /// Queues a read.
  ///
  /// - Parameters:
  ///   - end: its deadline. A patient read must have begun by then.
  ///   - time: the maximum duration of a patient read, from its start on; nil for no limit.
  /// - Returns: reads removed to make room, because their clients are gone or their caller has more than this one.
  /// - Throws: `overloaded` if the queue is full or the caller has a quarter of it, and `shuttingDown` if it is
  ///   closed.
  @discardableResult
  func push(
    _ job: Job, isPatient: Bool, for requester: Requester = .server,
    until end: ContinuousClock.Instant? = nil, taking time: Duration? = nil
  ) throws(InventoryError) -> [Job] {
    let (capacity, holdTime) = (capacity, holdTime)
    let given = try monitor.withLock { (state) throws(InventoryError) in
      guard !state.isClosed else { throw .shuttingDown }
      var given: [Job] = []
      if !state.hasRoom(for: requester, capacity) {
        given = state.removeAll(where: { $0.requester.isGone() })
        if !state.hasRoom(for: requester, capacity), let last = state.giveWay(to: requester) {
          given.append(last)
        }
        guard state.hasRoom(for: requester, capacity) else { throw .overloaded }
      }
      state.number += 1
      state.waiting.append(
        Entry(
          number: state.number, job: job, isPatient: isPatient, requester: requester,
          end: earlier(end, state.lastEnd), time: time, holdEnd: .now + holdTime))
      return given
    }
    // Wake all, because one of the waiting threads only watches deadlines.
    monitor.wakeAll()
    return given
  }

  /// Waits for a job and runs it. Returns false once the queue is closed and empty.
  func perform(_ work: (Job) -> Void) -> Bool {
    guard let entry = next() else { return false }
    // Its deadline may be earlier than the one that the watching thread waits for.
    if entry.end != nil { monitor.wakeAll() }
    work(entry.job)
    monitor.withLock { state in state.running.removeAll { $0.number == entry.number } }
    monitor.wakeAll()
    return true
  }

  private func next() -> Entry? {
    while true {
      let found: Found? = monitor.wait { state in
        if let entry = state.take(patientLimit) { return .entry(entry) }
        if state.waiting.isEmpty { return state.isClosed ? .closed : nil }
        return state.isHoldingBack ? .heldBack : nil
      }
      switch found {
      case .entry(let entry): return entry
      case .closed: return nil
      case .heldBack, nil:
        if let entry = monitor.wait(atMost: Self.pause, for: { $0.take(patientLimit) }) {
          return entry
        }
      }
    }
  }

  /// Waits until jobs miss their deadline, and returns them. Waiting jobs are removed; running ones continue, and are
  /// returned once. Nil once the queue is closed.
  func late() -> [Job]? {
    while true {
      var next: ContinuousClock.Instant?
      let known = monitor.withLock { state in
        next = state.nextEnd
        return state.number
      }
      let wait = next.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      let isClosed = monitor.wait(atMost: wait) { state in
        state.isClosed ? true : state.number != known || state.nextEnd != next ? false : nil
      }
      if isClosed == true { return nil }
      let late = monitor.withLock { $0.takeLate(at: .now) }
      if !late.isEmpty {
        monitor.wakeAll()
        return late
      }
    }
  }

  /// Sets a deadline for all reads, including later ones.
  func end(by end: ContinuousClock.Instant) {
    monitor.withLock { state in
      state.lastEnd = earlier(end, state.lastEnd)
      for index in state.waiting.indices {
        state.waiting[index].end = earlier(end, state.waiting[index].end)
      }
      for index in state.running.indices where !state.running[index].isLate {
        state.running[index].end = earlier(end, state.running[index].end)
      }
    }
    monitor.wakeAll()
  }

  /// Tries to truncate the WAL. Starts or stops holding reads back, depending on the result.
  ///
  /// - Parameter cut: truncates the WAL. Returns whether a reader prevented the truncation.
  /// - Returns: the result of `cut`.
  @discardableResult
  func cutting<E: Error>(_ cut: () throws(E) -> Bool) throws(E) -> Bool {
    let before = monitor.withLock { $0.running.count }
    let isInTheWay = try cut()
    monitor.withLock { state in
      // If other readers prevent the truncation, holding back reads does not help.
      state.isHoldingBack = isInTheWay && (before > 0 || !state.running.isEmpty)
    }
    monitor.wakeAll()
    return isInTheWay
  }

  /// Stops holding reads back, until the WAL must be truncated again.
  func letAllBegin() {
    let wasHoldingBack = monitor.withLock { state in
      defer { state.isHoldingBack = false }
      return state.isHoldingBack
    }
    if wasHoldingBack { monitor.wakeAll() }
  }

  /// Refuses new reads. Queued ones are still run.
  func close() {
    monitor.withLock { $0.isClosed = true }
    monitor.wakeAll()
  }
}

private func earlier(
  _ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?
) -> ContinuousClock.Instant? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
