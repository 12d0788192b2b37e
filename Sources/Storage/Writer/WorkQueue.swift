import Inventory

/// A bounded queue that threads wait on. Callers take turns.
final class WorkQueue<Turn: Hashable & Sendable, Element: Sendable>: Sendable {
  private struct State {
    var waiting = TurnQueue<Turn, Element>()
    var isClosed = false
    /// The time after which waiting elements are refused.
    var end: ContinuousClock.Instant?
  }

  private let monitor = Monitor(State())
  private let capacity: Int

  /// - Parameter capacity: the maximum number of waiting elements of one caller; of all callers, four times as many.
  init(capacity: Int) { self.capacity = capacity }

  /// Adds an element. If the callers together fill the queue, the caller with the most elements loses its last one.
  ///
  /// - Parameters:
  ///   - beyondCapacity: whether the element is added although no place is free.
  ///   - mayGiveWay: whether an element may be removed for others.
  /// - Returns: an element that was removed to make room.
  /// - Throws: `overloaded` if the caller's places are taken, or the queue is full and no element gives way, and
  ///   `shuttingDown` if it is closed.
  @discardableResult
  func push(
    _ element: Element, for turn: Turn, beyondCapacity: Bool = false,
    where mayGiveWay: (Element) -> Bool = { _ in false }
  ) throws(InventoryError) -> Element? {
    try monitor.withLock { (state) throws(InventoryError) in
      guard !state.isClosed else { throw .shuttingDown }
      var given: Element?
      if !beyondCapacity {
        guard state.waiting.count(of: turn) < capacity else { throw .overloaded }
        if state.waiting.count >= 4 * capacity {
          given = state.waiting.giveWay(to: turn, where: mayGiveWay)
          guard given != nil else { throw .overloaded }
        }
      }
      state.waiting.append(element, for: turn)
      monitor.wakeOne()
      return given
    }
  }

  enum Waited {
    case element(Element)
    /// No element came in time.
    case nothing
    /// The queue is closed and empty.
    case closed
  }

  /// Waits for an element; nil once the queue is closed and empty.
  func pop() -> Element? {
    guard case .element(let element) = pop(within: nil) else { return nil }
    return element
  }

  /// Waits for an element, up to a time limit.
  ///
  /// - Parameters:
  ///   - time: nil for no limit.
  ///   - rank: the rank of a caller's oldest element. The lowest rank is first. If it is nil, the caller's elements
  ///     must wait.
  func pop(within time: Duration?, by rank: (Element) -> Int? = { _ in 0 }) -> Waited {
    monitor.wait(atMost: time) { state in
      if let element = state.waiting.take(by: rank) { return .element(element) }
      return state.isClosed && state.waiting.count == 0 ? .closed : nil
    } ?? .nothing
  }

  /// Removes the next element, by rank as in `pop`; nil at once if there is none.
  func popIfAny(by rank: (Element) -> Int? = { _ in 0 }) -> Element? {
    monitor.withLock { $0.waiting.take(by: rank) }
  }

  var isEmpty: Bool { count == 0 }

  /// The number of waiting elements.
  var count: Int { monitor.withLock { $0.waiting.count } }

  /// Whether the queue's end has passed, so that waiting elements must be refused.
  var isPastEnd: Bool {
    monitor.withLock { state in state.end.map { $0 <= ContinuousClock.now } ?? false }
  }

  /// Sets the time after which waiting elements are refused.
  func end(by end: ContinuousClock.Instant) {
    monitor.withLock { $0.end = end }
  }

  /// Refuses new elements. Waiting ones are still returned.
  func close() {
    monitor.withLock { $0.isClosed = true }
    monitor.wakeAll()
  }
}
