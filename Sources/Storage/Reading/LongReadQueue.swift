/// The long reads that wait for a thread, in the order in which they came; those that would keep the WAL from
/// being cut are passed over for a while.
///
/// The WAL can be cut when no reader is in it. Reads that overlap, one export with the searches before and
/// after it, would have it grow for as long as they come: "checkpoint starvation"
/// (https://www.sqlite.org/wal.html, 6). So, while it is too long and a long read is in the way of cutting it,
/// none begins; beside one that reads everything only others of its kind are held back, for that may take long
/// and waiting for it would be in vain. The WAL then grows by what is written during the longest read.
final class LongReadQueue<Job: Sendable>: Sendable {
  private struct Entry {
    let job: Job
    let isPatient: Bool
    /// From then on it is held back no longer.
    let patienceEnd: ContinuousClock.Instant
  }

  private struct State {
    var waiting: [Entry] = []
    var running = 0
    /// Those of them that read everything.
    var patient = 0
    var isHoldingBack = false
    var isClosed = false

    func isHeldBack(_ entry: Entry) -> Bool {
      isHoldingBack && !isClosed && (entry.isPatient || patient == 0)
        && ContinuousClock.now < entry.patienceEnd
    }

    mutating func take() -> Entry? {
      guard let index = waiting.firstIndex(where: { !isHeldBack($0) }) else { return nil }
      let entry = waiting.remove(at: index)
      running += 1
      if entry.isPatient { patient += 1 }
      return entry
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
  /// Those held back are looked at so often.
  private static var pause: Duration { .milliseconds(50) }

  /// - Parameter patience: the longest time for which a read is held back.
  init(capacity: Int, patience: Duration) {
    self.capacity = capacity
    self.patience = patience
  }

  func push(_ job: Job, isPatient: Bool) throws(WorkQueue<Job>.Refusal) {
    let entry = Entry(job: job, isPatient: isPatient, patienceEnd: .now + patience)
    try monitor.withLock { (state) throws(WorkQueue<Job>.Refusal) in
      guard !state.isClosed else { throw .closed }
      guard state.waiting.count < capacity else { throw .full }
      state.waiting.append(entry)
    }
    monitor.wakeOne()
  }

  /// Waits for a job and does it; false once the queue is closed and empty.
  func perform(_ work: (Job) -> Void) -> Bool {
    guard let entry = next() else { return false }
    work(entry.job)
    monitor.withLock { state in
      state.running -= 1
      if entry.isPatient { state.patient -= 1 }
    }
    return true
  }

  private func next() -> Entry? {
    while true {
      let found: Found? = monitor.wait { state in
        if let entry = state.take() { return .entry(entry) }
        if state.waiting.isEmpty { return state.isClosed ? .closed : nil }
        return .heldBack
      }
      switch found {
      case .entry(let entry): return entry
      case .closed: return nil
      case .heldBack, nil:
        if let entry = monitor.wait(atMost: Self.pause, for: { $0.take() }) { return entry }
      }
    }
  }

  /// Tries to cut the WAL, and begins or ends to hold reads back by what comes of it.
  ///
  /// - Parameter cut: returns whether a reader was in the way.
  func cutting(_ cut: () -> Bool) {
    let before = monitor.withLock { $0.running }
    let isInTheWay = cut()
    monitor.withLock { state in
      // What stands in the way for other reasons does not go away by waiting here.
      state.isHoldingBack = isInTheWay && (before > 0 || state.running > 0)
    }
    monitor.wakeAll()
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
