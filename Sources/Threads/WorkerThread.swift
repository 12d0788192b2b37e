import CLinux
import Glibc

/// A POSIX thread that runs one function.
package struct WorkerThread: Sendable {
  private let thread: pthread_t

  /// A thread's share of the processors when there are too few for all threads.
  package enum Priority: Sendable {
    /// For event loops, which do little at a time. They interrupt other threads as soon as there is work for them.
    case prompt
    /// For the writer, which all writes wait for.
    case normal
    /// For work of any length. The other threads get more of the processors' time, and get it at once.
    case background

    fileprivate func apply() {
      switch self {
      case .prompt: rowhouse_share_processor(0, 200_000)
      case .normal: break
      case .background: rowhouse_share_processor(10, 100_000_000)
      }
    }
  }

  /// The errno of `pthread_create`.
  package struct Failure: Error {
    package let errno: Int32
  }

  private final class Start: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts the thread. The caller joins or detaches it.
  package init(
    _ priority: Priority, _ run: @escaping @Sendable () -> Void
  ) throws(Failure) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(
      Start {
        priority.apply()
        run()
      })
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw Failure(errno: code)
    }
    self.thread = thread
  }

  /// Runs a function on a new background thread, or on this thread if no other can be started.
  package static func runInBackground(_ run: @escaping @Sendable () -> Void) {
    guard let thread = try? WorkerThread(.background, { returningMemory(of: run) }) else {
      return run()
    }
    thread.detach()
  }

  /// Runs a function. If that took more than 50 ms, returns freed memory to the system. Otherwise the process would
  /// keep the memory, because a long function leaves the heap fragmented.
  package static func returningMemory(of run: () -> Void) {
    let start = ContinuousClock.now
    run()
    if start.duration(to: .now) > .milliseconds(50) { rowhouse_give_back_memory() }
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(thread) }
}
