import HTTP
import Inventory
import Synchronization

/// Reads imports and tables, each on a thread of its own, a few at a time; the others wait, in order.
///
/// Small ones have threads of their own, so that none waits for a large one.
final class TransferQueue: Sendable {
  private struct Line {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }
  private struct State {
    var small = Line()
    var large = Line()
  }
  private let state = Mutex(State())

  /// Up to so many bytes one is small.
  static let small = 4 << 20
  /// That run at a time, of each size.
  static let threads = 2
  /// That wait, of each size.
  static let capacity = 64

  /// Does what may take long, and answers from there.
  ///
  /// - Parameter size: of the body, in bytes.
  func start(
    _ size: Int, _ audience: Audience, _ responder: Responder,
    _ work: @escaping @Sendable () -> Response
  ) -> Reply {
    let line = size <= Self.small ? \State.small : \State.large
    let job: @Sendable () -> Void = { responder.send(work()) }
    let (isFull, isDue) = state.withLock { state -> (Bool, Bool) in
      guard state[keyPath: line].waiting.count < Self.capacity else { return (true, false) }
      state[keyPath: line].waiting.append(job)
      guard state[keyPath: line].running < Self.threads else { return (false, false) }
      state[keyPath: line].running += 1
      return (false, true)
    }
    if isFull { return .response(audience.response(Problem(InventoryError.importRunning))) }
    // Where there can be no further thread, it is done here rather than not at all.
    if isDue, !TransferThread.start({ self.run(size) }) { run(size) }
    return .deferred
  }

  /// Does what waits, one after another.
  private func run(_ size: Int) {
    let line = size <= Self.small ? \State.small : \State.large
    while true {
      let job = state.withLock { state -> (@Sendable () -> Void)? in
        guard !state[keyPath: line].waiting.isEmpty else {
          state[keyPath: line].running -= 1
          return nil
        }
        return state[keyPath: line].waiting.removeFirst()
      }
      guard let job else { return }
      job()
    }
  }
}
