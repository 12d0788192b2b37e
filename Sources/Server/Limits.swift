import HTTP

/// What the server allows its clients; times are in milliseconds, sizes in bytes.
package struct Limits: Sendable {
  /// Request line (414), header section and its fields (431).
  package var head = HeadLimits()
  /// Buffered bodies of all connections together; beyond, 503 for the largest that has not come whole.
  package var bufferedBodies = 64 << 20
  /// Of a connection's first body that is not answered so much does not count, so that small requests are
  /// taken also while others use that up.
  package var uncountedBody = 2 << 10
  /// From a request's first byte to the end of its header section; beyond, 408.
  package var headerTime: Int64 = 10_000
  /// From the end of the header section to that of a buffered body; beyond, 408.
  package var bodyTime: Int64 = 30_000
  /// Bytes a second that a streamed body must bring, and a reader must take, on average of a window.
  package var leastRate = 1024
  /// The window over which a streamed body's rate is taken.
  package var bodyRateWindow: Int64 = 10_000
  /// The window over which a reader's rate is taken while its output is stuck; one too slow is cut off.
  package var readerRateWindow: Int64 = 30_000
  /// How long a connection may be without a request.
  package var idleTime: Int64 = 75_000
  /// How long a connection that is being closed may go on sending what nobody reads.
  package var lingerTime: Int64 = 5_000
  /// How long a client that has shut down its side is taken to be there: most of them are gone, and who is not
  /// gets what is ready by then.
  package var halfClosedTime: Int64 = 1_000
  /// How long a connection that has not yet asked anything may still do so when the server shuts down.
  package var firstRequestGrace: Int64 = 250
  /// How long accepting pauses when descriptors are exhausted.
  package var descriptorPause: Int64 = 100
  /// Open connections; beyond, nothing is accepted until one closes.
  package var connections = 10_000
  /// Requests of one connection that may await their answer.
  package var outstanding = 64
  /// Requests of one connection that are seen to before the others have their turn.
  package var requestsInOneGo = 16
  /// In microseconds: after that time no further request of one connection is seen to before the others have their turn.
  package var timeInOneGo: Int64 = 2_000
  /// Bytes of answers that one connection has yet to be sent past which no further request of it is read.
  package var outputBacklog = 256 << 10
  /// Output of all connections together that waits for its readers, or for the answers before it; beyond, who holds
  /// most is cut off.
  package var waitingOutput = 256 << 20
  /// Bytes of output of one connection past which its stream is not asked for more.
  package var streamBacklog = 64 << 10
  /// Bytes of a body nobody wants that are read so that the connection can live on; beyond, it closes.
  package var unwantedBody = 64 << 10

  package init() {}
}
