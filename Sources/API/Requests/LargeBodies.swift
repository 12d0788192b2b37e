import HTTP
import Inventory
import Synchronization

/// Answers requests with large bodies on a thread of its own, the smallest first: to read megabytes of JSON would
/// hold up a loop with all its clients. Shared by all loops.
final class LargeBodies: @unchecked Sendable {
  // Sendable because the mutex guards the queue, and the handler is used by the one thread that works only.
  private struct Job {
    let request: Request
    let responder: Responder
    let makeHandler: @Sendable () throws(InventoryError) -> APIHandler
  }
  private struct State {
    var jobs: [Job] = []
    var isWorking = false
  }
  private let state = Mutex(State())
  /// Made for the first request; it has a session of its own.
  private var handler: APIHandler?

  /// In bytes; up to it a loop answers by itself.
  static let smallBody = 32 << 10

  /// Has a request answered by a handler that may take its time.
  ///
  /// - Parameter makeHandler: makes that handler.
  func answer(
    _ request: Request, _ responder: Responder,
    by makeHandler: @escaping @Sendable () throws(InventoryError) -> APIHandler
  ) {
    let isFirst = state.withLock { state in
      state.jobs.append(Job(request: request, responder: responder, makeHandler: makeHandler))
      defer { state.isWorking = true }
      return !state.isWorking
    }
    // Where there can be no further thread, it is done here rather than not at all.
    if isFirst, !TransferThread.start({ self.work() }) { work() }
  }

  private func work() {
    while let job = next() {
      do throws(InventoryError) {
        if handler == nil { handler = try job.makeHandler() }
        guard let handler else { continue }
        switch handler.handle(job.request, job.responder) {
        case .response(let response): job.responder.send(response)
        case .stream(let response, let source): job.responder.send(response, source)
        case .deferred: break
        }
        handler.session.rest()
      } catch {
        job.responder.send(
          Audience(caller: .local, language: .english, requestID: "").response(Problem(error)))
      }
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      let smallest = state.jobs.indices.min {
        state.jobs[$0].request.body.count < state.jobs[$1].request.body.count
      }
      state.isWorking = smallest != nil
      return smallest.map { state.jobs.remove(at: $0) }
    }
  }
}
