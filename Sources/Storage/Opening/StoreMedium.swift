import SQL

/// Where a store keeps its data: an SQLite file, or the database of a PostgreSQL server.
protocol StoreMedium: Sendable {
  /// Its name in messages. It holds no secret.
  var path: String { get }
  /// Whether its data are lost at the end, so that nothing waits for a disk.
  var isTemporary: Bool { get }
  /// Whether other processes write to it too.
  var isShared: Bool { get }

  /// Opens a connection for reading. `cacheSize` is in KiB.
  func openReader(cacheSize: Int) throws(StoreOpeningError) -> Connection

  /// Whether there was no room for a change.
  func isFull(_ error: DatabaseError) -> Bool
}

extension StoreMedium {
  func openReader() throws(StoreOpeningError) -> Connection { try openReader(cacheSize: 2_048) }
}

extension StoreFile: StoreMedium {
  var isShared: Bool { false }
}
