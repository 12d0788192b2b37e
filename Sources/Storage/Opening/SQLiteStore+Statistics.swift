import Glibc
import SQLite

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
