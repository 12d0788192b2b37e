import HTTP
import Inventory
import Synchronization
import Threads

/// Writes the body of an import to a spool. When the body is complete, calls `read` with the spool.
///
/// A thread of the queue writes the bytes, because a disk may be slow. Further bytes are collected meanwhile; past a
/// limit the client has to wait.
final class ImportReceiver: BodyReceiver {
  typealias Read = @Sendable (Spool, _ digest: [UInt8]?, Responder) -> Reply

  private struct State {
    /// Received bytes that are not being written yet.
    var bytes: [UInt8] = []
    var isWriting = false
    /// Whether the client has to wait.
    var isWaiting = false
    var failure: Problem?
    var signal: StreamSignal?
    /// Set when the body is complete.
    var responder: Responder?
  }

  let limit: Int
  private let spool: Spool
  private let queue: SpoolQueue
  private let context: ResponseContext
  private let refusal: @Sendable () -> InventoryError?
  private let read: Read
  /// The hash of the written bytes.
  private let hash: Mutex<SHA256?>
  private let state = Mutex(State())

  /// The most bytes that wait to be written, of one import and of all together.
  private static let gathered = (one: 256 << 10, all: 4 << 20)

  /// - Parameters:
  ///   - isHashed: whether `read` gets the body's digest.
  ///   - refusal: the error if the sender's token is no longer accepted.
  init(
    _ spool: Spool, limit: Int, writtenBy queue: SpoolQueue, _ context: ResponseContext,
    isHashed: Bool,
    refusal: @escaping @Sendable () -> InventoryError?, read: @escaping Read
  ) {
    self.spool = spool
    self.limit = limit
    self.queue = queue
    self.context = context
    self.refusal = refusal
    self.read = read
    hash = Mutex(isHashed ? SHA256() : nil)
  }

  func started(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func receive(_ piece: Span<UInt8>) -> Uptake {
    if let refusal = refusal() {
      brokenOff()
      return .respond(context.response(Problem(refusal)))
    }
    let gathered = min(Self.gathered.one, spool.room.files.share(of: Self.gathered.all))
    let (uptake, isDue) = state.withLock { state -> (Uptake, Bool) in
      if let failure = state.failure { return (.respond(context.response(failure)), false) }
      piece.withUnsafeBufferPointer { state.bytes += $0 }
      defer { state.isWriting = true }
      state.isWaiting = state.bytes.count >= gathered
      return (state.isWaiting ? .wait : .more, !state.isWriting)
    }
    if isDue { queue.run { self.write() } }
    return uptake
  }

  func finish(_ responder: Responder) -> Reply {
    let (failure, isWhole) = state.withLock { state -> (Problem?, Bool) in
      if state.isWriting { state.responder = responder }
      return (state.failure, !state.isWriting)
    }
    if let failure { return .now(context.response(failure)) }
    if let refusal = refusal() { return .now(context.response(Problem(refusal))) }
    return isWhole ? read(spool, hash.withLock { $0?.digest() }, responder) : .later
  }

  func brokenOff() {
    state.withLock { $0.bytes = [] }
  }

  /// Writes the collected bytes, and queues itself again if more were collected meanwhile.
  private func write() {
    let bytes = state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
    let failure: Problem? = bytes.withUnsafeBufferPointer { bytes in
      do throws(Spool.Failure) {
        try spool.append(bytes)
        return nil
      } catch {
        spool.giveBack()
        return Problem(error.inventoryError)
      }
    }
    hash.withLock { $0?.take(bytes.span) }
    let (isWriting, signal, responder) = state.withLock { state in
      if let failure {
        state.failure = failure
        state.bytes = []
      }
      state.isWriting = !state.bytes.isEmpty
      defer { state.isWaiting = false }
      // Resumes only a waiting stream: a signal without a waiter would swallow the next one.
      return (
        state.isWriting, state.isWaiting ? state.signal : nil,
        state.isWriting ? nil : state.responder.take()
      )
    }
    if isWriting { queue.run { self.write() } }
    signal?.resume()
    if let responder { answer(failure, responder) }
  }

  private func answer(_ failure: Problem?, _ responder: Responder) {
    if let failure = failure ?? refusal().map(Problem.init) {
      return responder.send(context.response(failure))
    }
    let reply = read(spool, hash.withLock { $0?.digest() }, responder)
    if case .now(let response) = reply { responder.send(response) }
  }
}

/// Runs jobs that may wait for a disk, one after another. Its thread exists only while there are jobs. Shared by all
/// loops.
final class SpoolQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isWorking = false
  }
  private let state = Mutex(State())

  func run(_ job: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isFirst { WorkerThread.runInBackground { self.work() } }
  }

  private func work() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.isWorking = !state.jobs.isEmpty
      return state.isWorking ? state.jobs.removeFirst() : nil
    }
  }
}
