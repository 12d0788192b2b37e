/// Why a queue takes nothing in.
enum QueueRefusal: Error { case full, closed }

/// A bounded queue that threads wait on. Callers take turns.
final class WorkQueue<Turn: Hashable & Sendable, Element: Sendable>: Sendable {
  private struct State {
    var waiting = TurnQueue<Turn, Element>()
    var isClosed = false
    /// What has not been handed out by then is refused.
    var end: ContinuousClock.Instant?
  }

  private let monitor = Monitor(State())
  private let capacity: Int

  /// - Parameter capacity: how many elements of one caller may wait; of all callers, four times as many.
  init(capacity: Int) { self.capacity = capacity }

  func push(
    _ element: Element, for turn: Turn, beyondCapacity: Bool = false
  ) throws(QueueRefusal) {
    try monitor.withLock { (state) throws(QueueRefusal) in
      guard !state.isClosed else { throw .closed }
      guard
        beyondCapacity
          || (state.waiting.count(of: turn) < capacity && state.waiting.count < 4 * capacity)
      else { throw .full }
      state.waiting.append(element, for: turn)
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
    guard case .element(let element) = pop(within: nil) else { return nil }
    return element
  }

  /// Waits for an element, but no longer than a time.
  ///
  /// - Parameters:
  ///   - time: nil for as long as it takes.
  ///   - isPreferred: those whose turn is before that of the others.
  func pop(
    within time: Duration?, preferring isPreferred: (Turn) -> Bool = { _ in true }
  ) -> Waited {
    monitor.wait(atMost: time) { state in
      if let element = state.waiting.take(where: isPreferred) ?? state.waiting.take() {
        return .element(element)
      }
      return state.isClosed ? .closed : nil
    } ?? .nothing
  }

  /// The next of those whose turn it may be; nil at once if there is nothing.
  func popIfAny(where mayBeNext: (Turn) -> Bool = { _ in true }) -> Element? {
    monitor.withLock { $0.waiting.take(where: mayBeNext) }
  }

  var isEmpty: Bool { count == 0 }

  /// How many wait.
  var count: Int { monitor.withLock { $0.waiting.count } }

  /// Whether what waits has waited too long and is to be refused.
  var isPastEnd: Bool {
    monitor.withLock { state in state.end.map { $0 <= ContinuousClock.now } ?? false }
  }

  /// Has what still waits then be refused.
  func end(by end: ContinuousClock.Instant) {
    monitor.withLock { $0.end = end }
  }

  /// Lets no more in; what is in is still handed out.
  func close() {
    monitor.withLock { $0.isClosed = true }
    monitor.wakeAll()
  }
}
