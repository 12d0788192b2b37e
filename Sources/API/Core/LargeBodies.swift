import HTTP
import Inventory
import Synchronization
import Threads

/// Answers requests with large bodies on a thread of its own: reading megabytes of JSON would hold up a loop with all
/// its clients. Shared by all loops.
///
/// By turns the smallest and the oldest is next, so that small ones do not wait behind large ones, and large ones are
/// not passed over for ever.
final class LargeBodies: @unchecked Sendable {
  // Sendable because the mutex guards the queue. `handler` is used by one thread at a time, the one that has set
  // `isWorking`, and the mutex hands it over from one such thread to the next.
  private struct Job {
    let request: RequestContext
    let makeHandler: @Sendable () throws(InventoryError) -> APIHandler
  }
  private struct State {
    var jobs: [Job] = []
    /// Of the bodies of `jobs`.
    var bytes = 0
    var isWorking = false
    var takesOldest = false
  }
  private let state = Mutex(State())
  /// Made for the first request; it has a session of its own.
  private var handler: APIHandler?

  /// Bytes of bodies that may wait. Those of clients that have left count too.
  private static let capacity = 64 << 20

  /// Has a request answered by a handler that may take its time. Refuses it as `overloaded` where too much waits.
  ///
  /// - Parameter makeHandler: makes that handler.
  func answer(
    _ request: RequestContext,
    by makeHandler: @escaping @Sendable () throws(InventoryError) -> APIHandler
  ) -> Reply {
    let isFirst: Bool? = state.withLock { state in
      guard state.bytes + request.body.count <= Self.capacity else { return nil }
      state.bytes += request.body.count
      state.jobs.append(Job(request: request, makeHandler: makeHandler))
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard let isFirst else {
      return .now(request.context.response(Problem(InventoryError.overloaded)))
    }
    if isFirst { WorkerThread.runInBackground { self.work() } }
    return .later
  }

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
      let oldest = state.takesOldest ? state.jobs.indices.first : nil
      state.takesOldest.toggle()
      let index =
        oldest
        ?? state.jobs.indices.min {
          state.jobs[$0].request.body.count < state.jobs[$1].request.body.count
        }
      state.isWorking = index != nil
      guard let index else { return nil }
      state.bytes -= state.jobs[index].request.body.count
      return state.jobs.remove(at: index)
    }
  }
}
