import HTTP

/// An answer whose body is being given in pieces.
final class OutgoingStream {
  let source: any BodySource
  let signal: StreamSignal
  let exchange: UInt32
  let framing: ResponseEncoder.Framing
  let closes: Bool
  /// Where it is counted at its end.
  let counted: CountedRequest
  /// What is to be told of it at its end; nil if nobody wants to know.
  var record: AccessRecord?
  /// Bytes that a body of known length still lacks.
  var left: Int
  /// Whether the source has more at once, and only room is lacking.
  var hasMore = false

  init(
    source: any BodySource, signal: StreamSignal, exchange: UInt32,
    framing: ResponseEncoder.Framing, closes: Bool, counted: CountedRequest,
    record: AccessRecord?
  ) {
    self.source = source
    self.signal = signal
    self.exchange = exchange
    self.framing = framing
    self.closes = closes
    self.counted = counted
    self.record = record
    left = if case .length(let length) = framing { length } else { 0 }
  }
}
