import Glibc
import SQL

/// The counters of a store since it was opened, and its size.
package struct StoreStatistics: Sendable {
  /// Counts values by range.
  package struct Histogram: Sendable {
    /// The upper bound of each bucket. One further bucket counts the values above the last bound.
    package let bounds: [Int]
    package private(set) var buckets: [Int]
    package private(set) var sum = 0

    init(bounds: [Int]) {
      self.bounds = bounds
      buckets = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ value: Int) {
      buckets[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
      sum += value
    }
  }

  /// The number of writes in the queue.
  package internal(set) var waitingWrites = 0
  /// The number of writes in each commit.
  package internal(set) var groupSizes = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
  /// The duration of each commit with its sync, in microseconds.
  package internal(set) var commitTimes = Histogram(
    bounds: [
      100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
      1_000_000, 10_000_000,
    ])
  /// The size of the database file in bytes.
  package internal(set) var databaseSize = 0
  /// The size of the WAL in bytes.
  package internal(set) var walSize = 0
  /// Microseconds for which this process's writers have waited for their turn in a shared database.
  package internal(set) var turnWait = 0
  /// Nil for a database in a file.
  package internal(set) var server: Server?

  /// What concerns a database on a server.
  package struct Server: Sendable {
    /// The open connections of this process.
    package var connections: Int
    /// The requests sent to the server, each of which waits for its answer.
    package var roundTrips: Int
    /// The reads that use a connection.
    package var runningReads: Int
    /// The reads that wait for one.
    package var waitingReads: Int
  }

  /// The version of SQLite.
  package internal(set) var engineVersion = ""
}

extension DatabaseStore {
  /// Reads the counters and the files' sizes. May be called from any thread.
  package var statistics: StoreStatistics {
    var statistics = published.statistics
    statistics.waitingWrites = queue.count
    statistics.databaseSize = Self.size(path)
    statistics.walSize = Self.size(path + "-wal")
    statistics.engineVersion = SQLiteVersion.text
    #if PostgreSQL
      if let bounded {
        let (reads, longReads) = (bounded.queue.counts, workers.queue.counts)
        statistics.server = StoreStatistics.Server(
          connections: ServerTraffic.openConnections, roundTrips: ServerTraffic.roundTrips,
          runningReads: reads.running + longReads.running,
          waitingReads: reads.waiting + longReads.waiting)
      }
    #endif
    return statistics
  }

  /// The size of a file; 0 if it does not exist.
  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
