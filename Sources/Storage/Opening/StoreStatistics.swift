import Glibc
import SQLite
import Synchronization

/// What a store has done since it was opened, and how large it is.
package struct StoreStatistics: Sendable {
  /// How often there was how much of something.
  package struct Histogram: Sendable {
    /// What was at most so much counts in the bucket of that place, more than the last in one behind it.
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

  /// Writes that wait for their turn.
  package internal(set) var waitingWrites = 0
  /// Writes that were committed together.
  package internal(set) var groupSizes = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
  /// Microseconds that a commit took, its sync among them.
  package internal(set) var commitTimes = Histogram(
    bounds: [
      100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
      1_000_000, 10_000_000,
    ])
  /// Bytes of the database's file.
  package internal(set) var databaseSize = 0
  /// Bytes of the file of commits that are yet to be copied into the database.
  package internal(set) var walSize = 0
  /// Of SQLite.
  package internal(set) var engineVersion = ""
}

/// What the writer counts, for others to look at.
final class CommitCounts: Sendable {
  private let statistics = Mutex(StoreStatistics())

  /// Once a commit, behind a sync: its cost does not show.
  func count(_ writes: Int, _ time: Duration) {
    statistics.withLock { statistics in
      statistics.groupSizes.add(writes)
      statistics.commitTimes.add(Int(time / .microseconds(1)))
    }
  }

  var all: StoreStatistics { statistics.withLock { $0 } }
}

extension SQLiteStore {
  /// From any thread; it looks at the files' sizes.
  package var statistics: StoreStatistics {
    var statistics = commits.all
    statistics.waitingWrites = queue.count
    statistics.databaseSize = Self.size(path)
    statistics.walSize = Self.size(path + "-wal")
    statistics.engineVersion = SQLiteVersion.text
    return statistics
  }

  /// 0 if there is no such file.
  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
