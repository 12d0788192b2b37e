import HTTP

/// Notes a streamed request's body on its way, and answers after the delay.
final class FaultyReceiver: BodyReceiver {
  private let inner: any BodyReceiver
  private let request: FaultyRequest

  init(_ inner: any BodyReceiver, _ request: FaultyRequest) {
    self.inner = inner
    self.request = request
  }

  var limit: Int { inner.limit }

  func started(_ signal: StreamSignal) { inner.started(signal) }

  func receive(_ piece: Span<UInt8>) -> Uptake {
    request.journal.change(request.number) { $0.take(piece) }
    let uptake = inner.receive(piece)
    guard case .respond(let response) = uptake else { return uptake }
    return .respond(request.shown(response))
  }

  func finish(_ responder: Responder) -> Reply {
    request.reply(to: responder) { [inner] in inner.finish($0) }
  }

  func brokenOff() { inner.brokenOff() }
}

/// Drops a request's body, and answers with a response that does not depend on it.
final class IgnoredBody: BodyReceiver {
  private let response: Response

  init(_ response: Response) { self.response = response }

  var limit: Int { .max }
  func started(_ signal: StreamSignal) {}
  func receive(_ piece: Span<UInt8>) -> Uptake { .more }
  func finish(_ responder: Responder) -> Reply { .now(response) }
  func brokenOff() {}
}

/// Bytes as a stream.
final class WholeBody: BodySource, @unchecked Sendable {
  // Sendable: only the connection's loop calls it.
  private let bytes: [UInt8]
  private var given = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var length: Int? { bytes.count }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    let end = min(bytes.count, given + limit)
    output += bytes[given..<end]
    given = end
    return end == bytes.count ? .end : .more
  }
}

/// A body whose connection ends after so many bytes of it. A shorter body is sent as it is.
final class CutBody: BodySource, @unchecked Sendable {
  // Sendable: only the connection's loop calls it.
  private let inner: any BodySource
  private let delays: LoopDelays
  private var left: Int
  private var signal: StreamSignal?
  /// The limit of the first pull, when no output waited. A later one as high as this shows that all output is written.
  private var room: Int?
  /// In milliseconds.
  private static let pause: Int64 = 10

  init(_ inner: any BodySource, after bytes: Int, _ delays: LoopDelays) {
    self.inner = inner
    self.delays = delays
    left = bytes
  }

  var length: Int? { inner.length }
  var isEndless: Bool { inner.isEndless }

  func started(_ signal: StreamSignal) {
    self.signal = signal
    inner.started(signal)
  }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    let wholeRoom = room ?? limit
    room = wholeRoom
    if left > 0 {
      var piece: [UInt8] = []
      let supply = inner.pull(into: &piece, limit: limit)
      let isWhole = piece.count < left
      output += piece.prefix(left)
      left -= min(left, piece.count)
      if isWhole { return supply }
    }
    // The connection drops what it has not written, so wait until it has.
    guard output.isEmpty, limit >= wholeRoom else {
      delays.after(Self.pause) { [weak signal] in signal?.resume() }
      return .wait
    }
    return .fail
  }

  func ended(_ ending: StreamEnding) { inner.ended(ending) }
}

/// An event stream that stops sending or loses its connection on purpose.
final class BrokenEvents: BodySource, @unchecked Sendable {
  // Sendable: only the connection's loop calls it.
  private let inner: any BodySource
  private let point: FaultRule.StreamPoint
  private let stalls: Bool
  private let delays: LoopDelays
  private var signal: StreamSignal?
  private var isBroken = false
  private var events = 0
  /// The start of the present line.
  private var line: [UInt8] = []
  /// Whether the present block is an event that counts. Those named `position` do not, because they come at any time.
  private var isCounted = false

  init(
    _ inner: any BodySource, after point: FaultRule.StreamPoint, stalls: Bool, _ delays: LoopDelays
  ) {
    self.inner = inner
    self.point = point
    self.stalls = stalls
    self.delays = delays
    if case .events(0) = point { isBroken = true }
  }

  var isEndless: Bool { true }

  func started(_ signal: StreamSignal) {
    self.signal = signal
    inner.started(signal)
    guard case .milliseconds(let milliseconds) = point else { return }
    delays.after(milliseconds) { [weak self] in
      self?.isBroken = true
      self?.signal?.resume()
    }
  }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    var piece: [UInt8] = []
    if !isBroken || stalls {
      let supply = inner.pull(into: &piece, limit: limit)
      if !isBroken {
        output += piece.prefix(countEvents(in: piece))
        guard isBroken else { return supply }
      }
      // A stalled stream goes on reading, so that the server does not take its reader for a slow one.
      if stalls { return supply }
    }
    guard output.isEmpty else {
      delays.after(1) { [weak signal] in signal?.resume() }
      return .wait
    }
    return .fail
  }

  func ended(_ ending: StreamEnding) { inner.ended(ending) }

  /// How many of the bytes come before the break.
  private func countEvents(in piece: [UInt8]) -> Int {
    guard case .events(let last) = point else { return piece.count }
    for (index, byte) in piece.enumerated() {
      guard byte == UInt8(ascii: "\n") else {
        if line.count < 16 { line.append(byte) }
        continue
      }
      if line.starts(with: "event:".utf8) { isCounted = line != Array("event: position".utf8) }
      if line.isEmpty, isCounted {
        events += 1
        isCounted = false
        if events == last {
          isBroken = true
          return index + 1
        }
      }
      line = []
    }
    return piece.count
  }
}
