import Synchronization
import Threads

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
