import HTTP
import Inventory
import Synchronization
import Threads

/// Reads imports and tables, each on a thread of its own, a few at a time; the others wait.
///
/// Small ones have threads of their own, so that none waits for a large one. Callers take turns: of one caller's, one of
/// each size runs at a time, and they are a quarter of those that wait at most. Those whose client has disconnected
/// are dropped before they begin.
final class TransferQueue: Sendable {
  private struct Job {
    let requester: Requester
    /// Bytes that it holds in memory while it waits.
    let bytes: Int
    let run: @Sendable () -> Void
    let refuse: @Sendable () -> Void
  }
  private struct Line {
    var waiting: [Job] = []
    /// Whose jobs run, nil for those who take no turns.
    var running: [Requester.Turn?] = []
    /// When a caller's turn was last, by a count of turns.
    var turns: [Requester.Turn?: UInt64] = [:]
    var turn: UInt64 = 0

    /// Whether one more may wait.
    func hasRoom(for requester: Requester, _ bytes: Int) -> Bool {
      func isFull(_ jobs: [Job], _ part: Int) -> Bool {
        let held = jobs.reduce(0) { $0 + $1.bytes }
        // One that is larger than the share may wait where nothing else does.
        return jobs.count >= TransferQueue.capacity / part
          || held + bytes > TransferQueue.byteCapacity / part && !jobs.isEmpty
      }
      guard !isFull(waiting, 1) else { return false }
      guard let turn = requester.turn else { return true }
      return !isFull(waiting.filter { $0.requester.turn == turn }, TransferQueue.share)
    }

    /// Drops those whose client has disconnected.
    mutating func dropGone() -> [Job] {
      let gone = waiting.filter { $0.requester.isGone() }
      if !gone.isEmpty { waiting.removeAll { $0.requester.isGone() } }
      return gone
    }

    /// The next, if it may begin: that of the caller whose last began the longest ago.
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

  /// Up to so many bytes one is small.
  static let small = 4 << 20
  /// That run at a time, of each size.
  static let threads = 2
  /// That wait, of each size.
  static let capacity = 64
  /// Bytes in memory of those that wait, of each size.
  static let byteCapacity = 128 << 20
  /// One caller has so large a part of what may wait.
  static let share = 4
  /// Past so many the turns of those who wait for nothing are forgotten.
  private static let maximumTurns = 1_024

  /// Does what may take long, and answers from there.
  ///
  /// - Parameters:
  ///   - size: of the body, in bytes.
  ///   - isInMemory: whether the body is held in memory while it waits.
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

  /// Does a job, and then what waits, one after another.
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
