import Glibc

/// A thread of its own for one transfer, so that no loop waits for it.
enum TransferThread {
  private final class Start {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// False if there can be no further thread.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
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
      return false
    }
    pthread_detach(thread)
    return true
  }
}
