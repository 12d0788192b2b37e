import Glibc

/// State that threads share. A thread can wait until the state meets a condition.
///
/// - Note: The pthread objects must keep one address, which a class's stored property does not guarantee; hence the
///   allocations.
final class Monitor<State: Sendable>: @unchecked Sendable {
  // Sendable because `state`, itself Sendable, is accessed only while `mutex` is locked, and the pointers never change.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Waits with a time limit must not depend on changes of the wall clock.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Value, E: Error>(_ body: (inout State) throws(E) -> Value) throws(E) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Makes one waiting thread check the state again.
  func wakeOne() { pthread_cond_signal(condition) }

  /// Makes all waiting threads check the state again.
  func wakeAll() { pthread_cond_broadcast(condition) }

  /// Waits until `look` finds something in the state, and returns it. Nil once the time is over.
  ///
  /// - Parameter time: nil for no limit.
  func wait<Value>(atMost time: Duration? = nil, for look: (inout State) -> Value?) -> Value? {
    let end = time.map(Self.instant)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = look(&state) { return found }
      guard var end else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return look(&state) }
    }
  }

  private static func instant(after time: Duration) -> timespec {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, attoseconds) = time.components
    end.tv_sec += Int(min(seconds, 1 << 40))
    end.tv_nsec += Int(attoseconds / 1_000_000_000)
    if end.tv_nsec >= 1_000_000_000 {
      end.tv_sec += 1
      end.tv_nsec -= 1_000_000_000
    }
    return end
  }
}
