import HTTP
import Inventory
import Synchronization
import Threads

/// Answers requests with large bodies on a separate thread, because parsing megabytes of JSON would block a loop and
/// all its clients. Shared by all loops.
///
/// `BodyTurns` gives the order.
final class LargeBodies: @unchecked Sendable {
  // Sendable: the mutex guards the queue. Only the thread that set `isWorking` uses `handler`, and the mutex passes
  // it from one such thread to the next.
  private struct Job {
    let request: RequestContext
    let makeHandler: @Sendable () throws(InventoryError) -> APIHandler
  }
  private struct State {
    var jobs: [Job] = []
    var isWorking = false
    var turns = BodyTurns()
  }
  private let state = Mutex(State())
  /// Created for the first request, with its own session.
  private var handler: APIHandler?

  /// The bytes of waiting bodies, including those of clients that have disconnected. Less than the server has room for,
  /// beside the tables of `TransferQueue`: small bodies get the rest.
  private let room = Quota(limit)
  private static let limit = 24 << 20

  /// Queues a request for the handler of the separate thread. Refuses the request as `overloaded` if the queue is full,
  /// or the caller's share of the queue is used up.
  ///
  /// - Parameter makeHandler: creates that handler.
  func answer(
    _ request: RequestContext,
    by makeHandler: @escaping @Sendable () throws(InventoryError) -> APIHandler
  ) -> Reply {
    guard room.take(Self.size(of: request), for: request.caller) else {
      return .now(request.context.response(Problem(InventoryError.overloaded)))
    }
    let isFirst = state.withLock { state in
      state.jobs.append(Job(request: request, makeHandler: makeHandler))
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isFirst { WorkerThread.runInBackground { self.work() } }
    return .later
  }

  /// The part of the limit that a request takes. Settings may allow a body that is larger than the limit.
  private static func size(of request: RequestContext) -> Int { min(request.body.count, limit) }

  private func work() {
    while let job = next() {
      do throws(InventoryError) {
        let handler: APIHandler
        if let present = self.handler { handler = present } else { handler = try job.makeHandler() }
        self.handler = handler
        if case .now(let response) = handler.answer(job.request) { job.request.send(response) }
        handler.session.rest()
      } catch {
        job.request.send(job.request.context.response(Problem(error)))
      }
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      let index = state.turns.next(
        of: state.jobs.map { ($0.request.requester.turn, $0.request.body.count) })
      state.isWorking = index != nil
      guard let index else { return nil }
      let job = state.jobs.remove(at: index)
      room.give(Self.size(of: job.request), for: job.request.caller)
      return job
    }
  }
}

/// The order of requests with large bodies. Callers take turns. Of one caller's requests, the smallest and the oldest
/// alternate: small ones do not wait behind large ones, and large ones are not postponed forever.
struct BodyTurns {
  /// The number of each caller's last turn, and whether the next one takes the oldest request.
  private var turns: [Requester.Turn?: (number: Int, takesOldest: Bool)] = [:]
  private var last = 0

  /// The index of the next request; nil for none, which also forgets the turns.
  ///
  /// - Parameter waiting: the caller and the size of each waiting request, the oldest first.
  mutating func next(of waiting: [(caller: Requester.Turn?, size: Int)]) -> Int? {
    func turn(_ index: Int) -> Int { turns[waiting[index].caller]?.number ?? 0 }
    guard let first = waiting.indices.min(by: { turn($0) < turn($1) }) else {
      self = BodyTurns()
      return nil
    }
    let caller = waiting[first].caller
    let own = waiting.indices.filter { waiting[$0].caller == caller }
    let takesOldest = turns[caller]?.takesOldest ?? false
    last += 1
    turns[caller] = (last, !takesOldest)
    return takesOldest ? own.first : own.min { waiting[$0].size < waiting[$1].size }
  }
}
