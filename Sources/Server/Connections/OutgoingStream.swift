import HTTP

/// A response whose body is sent in pieces.
final class OutgoingStream {
  let source: any BodySource
  let signal: StreamSignal
  let request: UInt32
  let framing: ResponseEncoder.Framing
  let closes: Bool
  /// Its place in the counts, used at its end.
  let counted: CountedRequest
  /// Its record for the log, completed at its end; nil without an observer.
  var record: AccessRecord?
  /// The missing bytes of a body of known length.
  var left: Int
  /// Whether to ask the source again as soon as there is room in the output.
  var hasMore = false

  init(
    source: any BodySource, signal: StreamSignal, request: UInt32,
    framing: ResponseEncoder.Framing, closes: Bool, counted: CountedRequest,
    record: AccessRecord?
  ) {
    self.source = source
    self.signal = signal
    self.request = request
    self.framing = framing
    self.closes = closes
    self.counted = counted
    self.record = record
    left = if case .length(let length) = framing { length } else { 0 }
  }
}
