/// Learns of every request that the server is done with.
package protocol AccessObserver: Sendable {
  /// Takes what a loop is done with since its last wake-up, and leaves none; called on the loops' threads, it must not
  /// block.
  func take(_ records: inout [AccessRecord])
}
