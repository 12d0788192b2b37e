#if PostgreSQL
  import Synchronization

  /// What this process has exchanged with PostgreSQL servers, for metrics.
  package enum ServerTraffic {
    static let connections = Atomic<Int>(0)
    static let trips = Atomic<Int>(0)

    /// The open connections.
    package static var openConnections: Int { connections.load(ordering: .relaxed) }
    /// The requests that were sent, each of which waits for its answer.
    package static var roundTrips: Int { trips.load(ordering: .relaxed) }
  }
#endif
