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
    return statistics
  }

  /// The size of a file; 0 if it does not exist.
  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
