import Glibc

/// A thread of a test.
final class Background {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  init(_ run: @escaping @Sendable () -> Void) throws {
    let context = Unmanaged.passRetained(Body(run)).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context)
    guard result == 0 else { throw Client.Timeout() }
  }

  func join() { pthread_join(thread, nil) }
}
