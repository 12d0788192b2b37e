import Inventory

/// The long reads that wait for a thread. Callers take turns, so that none takes all threads; those reads that
/// would keep the WAL from being cut are passed over for a while.
///
/// Of one caller's reads no more than one export, and one other, runs at a time. Of those that may begin, the
/// caller's whose last began the longest ago is next.
///
/// The WAL can be cut when no reader is in it. Reads that overlap, one export with the searches before and
/// after it, would have it grow for as long as they come: "checkpoint starvation"
/// (https://www.sqlite.org/wal.html, 6). So, while it is too long and a long read is in the way of cutting it,
/// none begins; beside one that reads everything only others of its kind are held back, for that may take long
/// and waiting for it would be in vain. The WAL then grows by what is written during the longest read.
final class LongReadQueue<Job: Sendable>: Sendable {
  private struct Entry {
    let number: UInt64
    let job: Job
    let isPatient: Bool
    let requester: Requester
    /// When it is too late for it, waiting or running.
    var end: ContinuousClock.Instant?
    /// Whether it runs, and has been handed over as late.
    var isLate = false
    /// The same for one that is patient, from its beginning on.
    let time: Duration?
    /// From then on it is held back no longer.
    let patienceEnd: ContinuousClock.Instant
  }

  private struct State {
    var waiting: [Entry] = []
    var running: [Entry] = []
    /// When a caller's turn was last, by a count of turns.
    var turns: [Requester.Turn?: UInt64] = [:]
    var turn: UInt64 = 0
    var number: UInt64 = 0
    var isHoldingBack = false
    var isClosed = false
    /// By when all is to be over.
    var lastEnd: ContinuousClock.Instant?

    /// One caller leaves room for others.
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
      return !isHoldingBack || !(entry.isPatient || patient == 0)
        || ContinuousClock.now >= entry.patienceEnd
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

    mutating func removeAll(where isAbandoned: (Entry) -> Bool) -> [Job] {
      let given = waiting.filter(isAbandoned)
      waiting.removeAll(where: isAbandoned)
      return given.map(\.job)
    }

    /// When it is too late for the next.
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
    /// There are some, which are all held back.
    case heldBack
    case closed
  }

  private let monitor = Monitor(State())
  private let capacity: Int
  private let patience: Duration
  /// Of reads that read everything, so many run at a time.
  private let patientLimit: Int
  /// Those held back are looked at so often.
  private static var pause: Duration { .milliseconds(50) }
  /// One caller has so large a part of what may wait.
  private static var share: Int { 4 }
  /// Past so many the turns of those who wait for nothing are forgotten.
  private static var maximumTurns: Int { 1_024 }

  /// - Parameter patience: the longest time for which a read is held back.
  init(capacity: Int, patience: Duration, patientLimit: Int = .max) {
    self.capacity = capacity
    self.patience = patience
    self.patientLimit = patientLimit
  }

  /// Lets a read wait for a thread.
  ///
  /// - Parameters:
  ///   - end: by when it must have begun and, unless it is patient, ended.
  ///   - time: how long it may take from its beginning on; nil: until `end`, or as long as it likes if it is patient.
  /// - Returns: reads of those who have gone, given up to make room.
  @discardableResult
  func push(
    _ job: Job, isPatient: Bool, for requester: Requester = .server,
    until end: ContinuousClock.Instant? = nil, taking time: Duration? = nil
  ) throws(QueueRefusal) -> [Job] {
    let (capacity, patience) = (capacity, patience)
    let given = try monitor.withLock { (state) throws(QueueRefusal) in
      guard !state.isClosed else { throw .closed }
      var given: [Job] = []
      if !state.hasRoom(for: requester, capacity) {
        given = state.removeAll(where: { $0.requester.isGone() })
        guard state.hasRoom(for: requester, capacity) else { throw .full }
      }
      state.number += 1
      state.waiting.append(
        Entry(
          number: state.number, job: job, isPatient: isPatient, requester: requester,
          end: earlier(end, state.lastEnd), time: time, patienceEnd: .now + patience))
      return given
    }
    // All, for one of those who wait looks for nothing but what is too late.
    monitor.wakeAll()
    return given
  }

  /// Waits for a job and does it; false once the queue is closed and empty.
  func perform(_ work: (Job) -> Void) -> Bool {
    guard let entry = next() else { return false }
    work(entry.job)
    monitor.withLock { state in state.running.removeAll { $0.number == entry.number } }
    monitor.wakeAll()
    return true
  }

  private func next() -> Entry? {
    let entry = begun()
    // Its end may be earlier than that for which one of those who wait looks.
    if entry?.end != nil { monitor.wakeAll() }
    return entry
  }

  private func begun() -> Entry? {
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

  /// Waits until it is too late for some of the jobs, and hands them over: those that wait are given up, those
  /// that run go on and are handed over once. Nil once the queue is closed.
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

  /// Has all reads end by then, those that come later too.
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

  /// Tries to cut the WAL, and begins or ends to hold reads back by what comes of it.
  ///
  /// - Parameter cut: returns whether a reader was in the way.
  /// - Returns: the same.
  @discardableResult
  func cutting(_ cut: () -> Bool) -> Bool {
    let before = monitor.withLock { $0.running.count }
    let isInTheWay = cut()
    monitor.withLock { state in
      // What stands in the way for other reasons does not go away by waiting here.
      state.isHoldingBack = isInTheWay && (before > 0 || !state.running.isEmpty)
    }
    monitor.wakeAll()
    return isInTheWay
  }

  /// Holds nothing back any more, until the WAL is to be cut again.
  func letAllBegin() {
    let wasHoldingBack = monitor.withLock { state in
      defer { state.isHoldingBack = false }
      return state.isHoldingBack
    }
    if wasHoldingBack { monitor.wakeAll() }
  }

  /// Lets no more in; what is in is still handed out.
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
