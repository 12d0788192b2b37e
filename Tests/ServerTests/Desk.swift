import Glibc
import HTTP
import Server
import Synchronization

/// What the test's handlers leave for the test to see and to answer, whichever loop they run on.
final class Desk: Sendable {
  struct State: Sendable {
    var responders: [String: Responder] = [:]
    var feeds: [String: Feed] = [:]
    var handled = 0
    var wakeUps = 0
    /// Since the last wake-up, and the most that there ever were in one.
    var handledInThis = 0
    var mostInOneWakeUp = 0
    /// When the last of them was, and when the handler wants the next, in the loop's milliseconds.
    var lastWakeUp: Int64?
    var nextWakeUp: Int64?
    var waker: LoopWaker?
    var peers: [Peer] = []
    /// What each request has done before it is answered.
    var work: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  var handled: Int { change { $0.handled } }

  func responder(_ name: String) throws -> Responder {
    try eventually { desk in desk.responders.removeValue(forKey: name) }
  }

  func feed(_ name: String) throws -> Feed {
    try eventually { desk in desk.feeds[name] }
  }

  /// Waits until `body` finds something, a minute at most.
  func eventually<Result: Sendable>(_ body: (inout State) -> Result?) throws -> Result {
    for _ in 0..<60_000 {
      if let result = change(body) { return result }
      usleep(1000)
    }
    throw Client.Timeout()
  }
}
