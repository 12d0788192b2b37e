/// A bounded queue that threads wait on.
final class WorkQueue<Element: Sendable>: Sendable {
  private struct State {
    /// Nil once it has been handed out: the queue is not to keep what its elements hold.
    var elements: [Element?] = []
    var head = 0
    var isClosed = false

    var count: Int { elements.count - head }

    mutating func take(capacity: Int) -> Element {
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

  private let monitor = Monitor(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  enum Refusal: Error { case full, closed }

  func push(_ element: Element, beyondCapacity: Bool = false) throws(Refusal) {
    try monitor.withLock { (state) throws(Refusal) in
      guard !state.isClosed else { throw .closed }
      guard beyondCapacity || state.count < capacity else { throw .full }
      state.elements.append(element)
      monitor.wakeOne()
    }
  }

  enum Waited {
    case element(Element)
    /// Nothing has come in time.
    case nothing
    /// The queue is closed and empty.
    case closed
  }

  /// Waits for an element; nil once the queue is closed and empty.
  func pop() -> Element? {
    guard case .element(let element) = wait(atMost: nil) else { return nil }
    return element
  }

  /// Waits for an element, but no longer than a time.
  func pop(within time: Duration) -> Waited { wait(atMost: time) }

  private func wait(atMost time: Duration?) -> Waited {
    monitor.wait(atMost: time) { state in
      if state.count > 0 { return .element(state.take(capacity: capacity)) }
      return state.isClosed ? .closed : nil
    } ?? .nothing
  }

  /// Nil at once if there is nothing.
  func popIfAny() -> Element? {
    monitor.withLock { state in state.count > 0 ? state.take(capacity: capacity) : nil }
  }

  var isEmpty: Bool { count == 0 }

  /// How many wait.
  var count: Int { monitor.withLock { $0.count } }

  /// Lets no more in; what is in is still handed out.
  func close() {
    monitor.withLock { $0.isClosed = true }
    monitor.wakeAll()
  }
}
