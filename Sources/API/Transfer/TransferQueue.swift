import HTTP
import Inventory
import Synchronization
import Threads

/// Runs imports and tables as jobs on threads, a few at a time. The other jobs wait.
///
/// - Small, medium and large jobs have separate threads, so that a job never waits for a larger one of another size.
/// - Callers take turns. Each runs one job of each size at a time.
/// - A caller may have at most a quarter of the waiting jobs of each size, and of the bytes in memory. Further jobs are
///   refused.
/// - If there is no room for a new job, the last job of the caller who has the most is refused. If the new job's caller
///   would then have as much or more, the new job is refused instead.
/// - Jobs whose client has disconnected are dropped before they start.
final class TransferQueue: Sendable {
  private struct Job {
    let requester: Requester
    /// The bytes that the job holds in memory while it waits.
    let bytes: Int
    let run: @Sendable () -> Void
    let refuse: @Sendable () -> Void

    /// Its size for comparing callers: its bytes, but at least `byteCapacity / capacity`.
    var size: Int { max(bytes, TransferQueue.byteCapacity / TransferQueue.capacity) }
  }
  private struct Line {
    var waiting: [Job] = []
    /// The callers of the running jobs. Nil for callers without turns.
    var running: [Requester.Turn?] = []
    /// The bytes in memory of the running jobs.
    var runningBytes = 0
    /// The bytes in memory of all jobs.
    var bytes: Int { waiting.reduce(runningBytes) { $0 + $1.bytes } }
    /// The number of each caller's last turn.
    var turns: [Requester.Turn?: UInt64] = [:]
    var turn: UInt64 = 0

    /// Whether one more job may wait, whatever it holds in memory.
    func hasRoom(for job: Job) -> Bool {
      waiting.count < TransferQueue.capacity && hasPlace(for: job)
    }

    /// Whether its caller has fewer waiting jobs than permitted.
    private func hasPlace(for job: Job) -> Bool {
      guard let turn = job.requester.turn else { return true }
      return waiting.count { $0.requester.turn == turn }
        < TransferQueue.capacity / TransferQueue.share
    }

    /// Removes and returns the jobs whose client has disconnected.
    mutating func dropGone() -> [Job] {
      let gone = waiting.filter { $0.requester.isGone() }
      if !gone.isEmpty { waiting.removeAll { $0.requester.isGone() } }
      return gone
    }

    /// Removes the last job of the caller who has the most, if that is more than `job`'s caller would have with it.
    mutating func giveWay(to job: Job) -> Job? {
      guard let turn = job.requester.turn, hasPlace(for: job) else { return nil }
      var sizes: [Requester.Turn: Int] = [turn: job.size]
      for job in waiting {
        if let turn = job.requester.turn { sizes[turn, default: 0] += job.size }
      }
      guard let most = sizes.max(by: { $0.value < $1.value }), most.key != turn,
        most.value > sizes[turn, default: 0],
        let last = waiting.lastIndex(where: { $0.requester.turn == most.key })
      else { return nil }
      return waiting.remove(at: last)
    }

    /// Removes and returns the next job to run, and counts it as running. Nil if none may run.
    ///
    /// The next job is that of the caller whose last turn is the oldest.
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
      runningBytes += job.bytes
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
      runningBytes -= job.bytes
    }
  }
  private struct State {
    /// The jobs by their sizes, as in `sizes`.
    var lines = TransferQueue.sizes.map { _ in Line() }

    /// Whether one more job may wait. One larger than `byteCapacity` may if no other is in memory.
    func hasRoom(for job: Job, in line: Int) -> Bool {
      let held = lines.reduce(0) { $0 + $1.bytes }
      return lines[line].hasRoom(for: job) && hasShare(for: job)
        && (held + job.bytes <= TransferQueue.byteCapacity || held == 0)
    }

    /// Whether one more job of its caller may wait in memory. A job larger than the share may if no other does.
    private func hasShare(for job: Job) -> Bool {
      guard let turn = job.requester.turn else { return true }
      let own = lines.flatMap { line in line.waiting.filter { $0.requester.turn == turn } }
      let held = own.reduce(0) { $0 + $1.bytes }
      return held + job.bytes <= TransferQueue.byteCapacity / TransferQueue.share || own.isEmpty
    }

    /// Removes the last job of the caller who has the most of a size: of the job's own, or else of another one, which frees
    /// memory.
    mutating func giveWay(to job: Job, in line: Int) -> Job? {
      guard hasShare(for: job) else { return nil }
      if let last = lines[line].giveWay(to: job) { return last }
      guard lines[line].hasRoom(for: job) else { return nil }
      for other in lines.indices where other != line {
        if let last = lines[other].giveWay(to: job) { return last }
      }
      return nil
    }
  }
  private let state = Mutex(State())

  /// The largest sizes of small, medium and large jobs, in bytes.
  static let sizes = [256 << 10, 4 << 20, .max]
  /// The most running jobs of each size.
  static let threads = 2
  /// The most waiting jobs of each size.
  static let capacity = 64
  /// The most bytes in memory of all jobs: half of the bodies that the server has room for by default. Other callers'
  /// bodies get the rest.
  static let byteCapacity = 32 << 20
  /// One caller may have at most 1/`share` of the waiting jobs.
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
    let line = Self.line(of: size)
    let refusal = context.response(Problem(InventoryError.importRunning))
    let job = Job(
      requester: requester, bytes: isInMemory ? size : 0, run: { send(work()) },
      refuse: { send(refusal) })
    var gone: [Job] = []
    let (isFull, due) = state.withLock { state -> (Bool, Job?) in
      if !state.hasRoom(for: job, in: line) {
        for line in state.lines.indices { gone += state.lines[line].dropGone() }
        while !state.hasRoom(for: job, in: line) {
          guard let last = state.giveWay(to: job, in: line) else { return (true, nil) }
          gone.append(last)
        }
      }
      state.lines[line].waiting.append(job)
      return (false, state.lines[line].take())
    }
    for job in gone { job.refuse() }
    if isFull { return .now(refusal) }
    if let due { WorkerThread.runInBackground { self.run(due, size) } }
    return .later
  }

  private static func line(of size: Int) -> Int {
    sizes.firstIndex { size <= $0 } ?? sizes.count - 1
  }

  /// Runs a job, then the waiting ones, one after another.
  private func run(_ first: Job, _ size: Int) {
    let line = Self.line(of: size)
    var next: Job? = first
    while let job = next {
      job.run()
      var gone: [Job] = []
      next = state.withLock { state in
        state.lines[line].end(job)
        gone = state.lines[line].dropGone()
        return state.lines[line].take()
      }
      for job in gone { job.refuse() }
    }
  }
}
