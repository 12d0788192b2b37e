import Glibc

/// A POSIX thread that runs one function and can be waited for.
struct StoreThread: Sendable {
  private let thread: pthread_t

  private final class Start {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Throws: the errno of `pthread_create`.
  init(_ run: @escaping @Sendable () -> Void) throws(StoreOpeningError) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(run))
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw .system(action: "start a thread", code: code)
    }
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }

  /// Nobody waits for its end.
  func leave() { pthread_detach(thread) }
}
