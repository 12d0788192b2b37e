import Glibc
import SQLite

extension SQLiteStore {
  /// From any thread; it looks at the files' sizes.
  package var figures: StoreFigures {
    var figures = commits.all
    figures.waitingWrites = queue.count
    figures.databaseSize = Self.size(path)
    figures.walSize = Self.size(path + "-wal")
    figures.engineVersion = SQLiteVersion.text
    return figures
  }

  /// 0 if there is no such file.
  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
