import HTTP
import Synchronization

/// A stream in either direction that the test feeds or holds up from its own thread.
final class Feed: BodySource, BodyReceiver {
  struct State: Sendable {
    var supply: [(bytes: [UInt8], then: Supply)] = []
    var signal: StreamSignal?
    var ending: StreamEnding?
    var pulled = 0
    var received: [UInt8] = []
    var isHeld = false
    var isBroken = false
    var refusal: Response?
  }

  let length: Int?
  let isEndless: Bool
  let limit: Int
  private let state = Mutex(State())

  init(length: Int? = nil, isEndless: Bool = false, limit: Int = 64 << 20) {
    self.length = length
    self.isEndless = isEndless
    self.limit = limit
  }

  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// Gives the client these bytes.
  func give(_ text: String, then supply: Supply = .wait) {
    let signal = change { state in
      state.supply.append((Array(text.utf8), supply))
      return state.signal
    }
    signal?.resume()
  }

  func release() {
    let signal = change { state in
      state.isHeld = false
      return state.signal
    }
    signal?.resume()
  }

  func started(_ signal: StreamSignal) { change { $0.signal = signal } }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    let next = change { state in state.supply.isEmpty ? nil : state.supply.removeFirst() }
    guard let next else { return .wait }
    output += next.bytes
    change { $0.pulled += next.bytes.count }
    if case .wait = next.then { return change { $0.supply.isEmpty } ? .wait : .more }
    return next.then
  }

  func ended(_ ending: StreamEnding) { change { $0.ending = ending } }

  func receive(_ piece: Span<UInt8>) -> Uptake {
    let bytes = piece.withUnsafeBufferPointer { Array($0) }
    return change { state in
      state.received += bytes
      if let refusal = state.refusal { return .respond(refusal) }
      return state.isHeld ? .wait : .more
    }
  }

  func finish(_ responder: Responder) -> Reply {
    .now(Response(status: 200, body: Array("\(change { $0.received.count })".utf8)))
  }

  func brokenOff() { change { $0.isBroken = true } }
}
