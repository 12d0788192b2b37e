import HTTP

/// The limits for clients. Times are in milliseconds, sizes in bytes.
package struct Limits: Sendable {
  /// The request line (414), and the header section and its fields (431).
  package var head = HeadLimits()
  /// Buffered bodies of all connections together. Beyond, `ByteQuota` decides which incomplete bodies get 503.
  package var bufferedBodies = 64 << 20
  /// Bytes of a connection's first unanswered body that do not count, so that small requests are accepted even if
  /// others use up the quota.
  package var uncountedBody = 2 << 10
  /// From a request's first byte to the end of its header section; beyond, 408.
  package var headerTime: Int64 = 10_000
  /// From the end of the header section to the end of a body that is not streamed; beyond, 408.
  package var bodyTime: Int64 = 30_000
  /// The least average rate, in bytes a second, of a streamed body and of a reader.
  package var leastRate = 1024
  /// The window for the rate of a streamed body.
  package var bodyRateWindow: Int64 = 10_000
  /// The window for the rate of a reader while its output is blocked. A slower one is cut off.
  package var readerRateWindow: Int64 = 30_000
  /// The longest time without a request.
  package var idleTime: Int64 = 75_000
  /// How long a connection may be idle while the server is full and another client waits.
  package var leastIdleTime: Int64 = 1_000
  /// The longest time that a closing connection may go on sending ignored input.
  package var lingerTime: Int64 = 5_000
  /// How long a client that has shut down its side counts as connected. Most such clients are gone. The others get the
  /// responses that are ready by then.
  package var halfClosedTime: Int64 = 1_000
  /// How long a connection without any request may still send one when the server shuts down.
  package var firstRequestGrace: Int64 = 250
  /// How long accepting pauses when descriptors run out.
  package var descriptorPause: Int64 = 100
  /// Open connections. Beyond, none is accepted until one closes.
  package var connections = 10_000
  /// Unanswered requests of one connection.
  package var outstanding = 64
  /// Unanswered GET requests of one connection. Their responses may be large, and wait in memory for a client that does
  /// not read.
  package var outstandingReads = 8
  /// Requests of one connection that are handled before the others get their turn.
  package var requestsInOneGo = 16
  /// In microseconds: the time after which a connection must give the others their turn.
  package var timeInOneGo: Int64 = 2_000
  /// In microseconds: if a connection's input takes this long, its next input waits until the others had their turn.
  package var dearInput: Int64 = 250
  /// Unsent bytes of one connection beyond which none of its requests is read.
  package var outputBacklog = 256 << 10
  /// Output of all connections together that waits for readers, or for earlier responses. Beyond, `ByteQuota`
  /// decides which connections are cut off.
  package var waitingOutput = 256 << 20
  /// Unsent bytes of one connection beyond which its stream is not read further.
  package var streamBacklog = 64 << 10
  /// Bytes of an unwanted body that are read to keep the connection. Beyond, it closes.
  package var unwantedBody = 64 << 10

  package init() {}
}
