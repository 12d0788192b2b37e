import HTTP
import Inventory
import Synchronization
import Threads

/// Keeps the body of an import until it is whole, and has it read then.
///
/// What comes is written by the queue's thread, since a disk may be slow: while that is done the next is gathered,
/// and past a limit the client is kept waiting.
final class ImportReceiver: BodyReceiver {
  typealias Read = @Sendable (Spool, _ digest: [UInt8]?, Responder) -> Reply

  private struct State {
    /// What has come and is not yet being written.
    var bytes: [UInt8] = []
    var isWriting = false
    /// Whether the client is kept waiting.
    var isWaiting = false
    var failure: Problem?
    var signal: StreamSignal?
    /// There once the body is complete.
    var responder: Responder?
  }

  let limit: Int
  private let spool: Spool
  private let queue: SpoolQueue
  private let context: ResponseContext
  private let refusal: @Sendable () -> InventoryError?
  private let read: Read
  /// Of what has been written.
  private let hash: Mutex<SHA256?>
  private let state = Mutex(State())

  /// Bytes that wait to be written, of one import and of all that there are.
  private static let gathered = (one: 256 << 10, all: 4 << 20)

  /// - Parameters:
  ///   - isHashed: whether `read` is to get the body's digest.
  ///   - refusal: why the sender is not let in any more, if so.
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

  /// Writes what has been gathered, and comes again for what is gathered meanwhile.
  private func write() {
    let bytes = state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
    let failure: Problem? = bytes.withUnsafeBytes { bytes in
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
      // Signalled only where it waits: a signal that nobody waits for would swallow the next.
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

/// Does what may wait for a disk, one thing after another, on a thread that is there while there is something
/// to do; shared by all loops.
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
