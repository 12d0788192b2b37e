import Glibc

/// A bounded queue that threads wait on.
///
/// - Note: The pthread objects need one address for life, which a class's stored property does not
///   promise; hence the allocations.
final class WorkQueue<Element: Sendable>: @unchecked Sendable {
  // Sendable because `elements` and `isClosed` are touched only between lock and unlock of `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// Nil once it has been handed out: the queue is not to keep what its elements hold.
  private var elements: [Element?] = []
  private var head = 0
  private var isClosed = false
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Waits with a deadline must not follow changes of the wall clock.
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

  enum Refusal: Error { case full, closed }

  func push(_ element: Element, beyondCapacity: Bool = false) throws(Refusal) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !isClosed else { throw .closed }
    guard beyondCapacity || elements.count - head < capacity else { throw .full }
    elements.append(element)
    pthread_cond_signal(condition)
  }

  /// Waits for an element; nil once the queue is closed and empty.
  func pop() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while head == elements.count {
      if isClosed { return nil }
      pthread_cond_wait(condition, mutex)
    }
    return take()
  }

  enum Waited {
    case element(Element)
    /// Nothing has come in time.
    case nothing
    /// The queue is closed and empty.
    case closed
  }

  /// Waits for an element, but no longer than a time.
  func pop(within time: Duration) -> Waited {
    let end = Self.deadline(after: time)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while head == elements.count {
      if isClosed { return .closed }
      var end = end
      if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT, head == elements.count {
        return isClosed ? .closed : .nothing
      }
    }
    return .element(take())
  }

  var isEmpty: Bool { count == 0 }

  /// How many wait.
  var count: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return elements.count - head
  }

  private static func deadline(after time: Duration) -> timespec {
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

  /// Nil at once if there is nothing.
  func popIfAny() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return head == elements.count ? nil : take()
  }

  /// Lets no more in; what is in is still handed out.
  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  private func take() -> Element {
    guard let element = elements[head].take() else {
      preconditionFailure("An element is handed out once.")
    }
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= capacity {
      // Never emptied under constant load: the front is cut off once a capacity's worth is spent.
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
