/// Receives a record of every finished request.
package protocol AccessObserver: Sendable {
  /// Takes the requests that a loop finished since its last wake-up, and leaves none. Called on the loops' threads, so
  /// it must not block.
  func take(_ records: inout [AccessRecord])
}
