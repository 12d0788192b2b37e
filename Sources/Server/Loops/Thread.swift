import Glibc

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a thread of its own, which the caller joins.
func startThread(_ body: @escaping @Sendable () -> Void) throws(ServerError) -> pthread_t {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(ThreadBody(body))
  let result = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard result == 0 else {
    context.release()
    throw .failed(call: "pthread_create", errno: result, address: nil)
  }
  return thread
}
