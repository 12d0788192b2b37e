import HTTP
import Inventory
import Synchronization
import Threads

/// Runs imports and tables on threads, a few at a time. The others wait.
///
/// Small and large ones have separate threads, so that small ones never wait for large ones. Callers take turns: each
/// runs one job of each size at a time and may have at most a quarter of the waiting jobs. Jobs whose client has
/// disconnected are dropped before they start.
final class TransferQueue: Sendable {
  private struct Job {
    let requester: Requester
    /// The bytes that the job holds in memory while it waits.
    let bytes: Int
    let run: @Sendable () -> Void
    let refuse: @Sendable () -> Void
  }
  private struct Line {
    var waiting: [Job] = []
    /// The callers of the running jobs. Nil for callers without turns.
    var running: [Requester.Turn?] = []
    /// The number of each caller's last turn.
    var turns: [Requester.Turn?: UInt64] = [:]
    var turn: UInt64 = 0

    /// Whether one more job may wait.
    func hasRoom(for requester: Requester, _ bytes: Int) -> Bool {
      func isFull(_ jobs: [Job], _ part: Int) -> Bool {
        let held = jobs.reduce(0) { $0 + $1.bytes }
        // A job larger than the share may wait if no other does.
        return jobs.count >= TransferQueue.capacity / part
          || held + bytes > TransferQueue.byteCapacity / part && !jobs.isEmpty
      }
      guard !isFull(waiting, 1) else { return false }
      guard let turn = requester.turn else { return true }
      return !isFull(waiting.filter { $0.requester.turn == turn }, TransferQueue.share)
    }

    /// Removes and returns the jobs whose client has disconnected.
    mutating func dropGone() -> [Job] {
      let gone = waiting.filter { $0.requester.isGone() }
      if !gone.isEmpty { waiting.removeAll { $0.requester.isGone() } }
      return gone
    }

    /// Starts the next job, if one may run: that of the caller whose last turn is the oldest.
    mutating func take() -> Job? {
      guard running.count < TransferQueue.threads else { return nil }
      let ready = waiting.indices.filter { index in
        guard let turn = waiting[index].requester.turn else { return true }
        return !running.contains(turn)
      }
      let next = ready.min {
        turns[waiting[$0].requester.turn, default: 0]
          < turns[waiting[$1].requester.turn, default: 0]
      }
      guard let next else { return nil }
      let job = waiting.remove(at: next)
      running.append(job.requester.turn)
      turn += 1
      turns[job.requester.turn] = turn
      if turns.count > TransferQueue.maximumTurns {
        let present = Set(waiting.map(\.requester.turn) + running)
        turns = turns.filter { present.contains($0.key) }
      }
      return job
    }

    mutating func end(_ job: Job) {
      if let index = running.firstIndex(of: job.requester.turn) { running.remove(at: index) }
    }
  }
  private struct State {
    var small = Line()
    var large = Line()
  }
  private let state = Mutex(State())

  /// The largest size in bytes of a small job.
  static let small = 4 << 20
  /// The most running jobs of each size.
  static let threads = 2
  /// The most waiting jobs of each size.
  static let capacity = 64
  /// The most bytes in memory of the waiting jobs of each size.
  static let byteCapacity = 128 << 20
  /// One caller may have one in `share` of the waiting jobs.
  static let share = 4
  /// Above this number, the turns of callers without jobs are forgotten.
  private static let maximumTurns = 1_024

  /// Queues work that may take long. Its result is sent from a separate thread.
  ///
  /// - Parameters:
  ///   - size: the body's size in bytes.
  ///   - isInMemory: whether the body stays in memory while the job waits.
  func start(
    _ size: Int, isInMemory: Bool, for requester: Requester, _ context: ResponseContext,
    send: @escaping @Sendable (Response) -> Void, _ work: @escaping @Sendable () -> Response
  ) -> Reply {
    let line = size <= Self.small ? \State.small : \State.large
    let refusal = context.response(Problem(InventoryError.importRunning))
    let job = Job(
      requester: requester, bytes: isInMemory ? size : 0, run: { send(work()) },
      refuse: { send(refusal) })
    var gone: [Job] = []
    let (isFull, due) = state.withLock { state -> (Bool, Job?) in
      if !state[keyPath: line].hasRoom(for: requester, job.bytes) {
        gone = state[keyPath: line].dropGone()
        guard state[keyPath: line].hasRoom(for: requester, job.bytes) else { return (true, nil) }
      }
      state[keyPath: line].waiting.append(job)
      return (false, state[keyPath: line].take())
    }
    for job in gone { job.refuse() }
    if isFull { return .now(refusal) }
    if let due { WorkerThread.runInBackground { self.run(due, size) } }
    return .later
  }

  /// Runs a job, then the waiting ones, one after another.
  private func run(_ first: Job, _ size: Int) {
    let line = size <= Self.small ? \State.small : \State.large
    var next: Job? = first
    while let job = next {
      job.run()
      var gone: [Job] = []
      next = state.withLock { state in
        state[keyPath: line].end(job)
        gone = state[keyPath: line].dropGone()
        return state[keyPath: line].take()
      }
      for job in gone { job.refuse() }
    }
  }
}
