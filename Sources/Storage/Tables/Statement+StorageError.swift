import SQLite

/// The same calls as the wrapper's, throwing this target's error, so that bodies can refuse.
extension Connection {
  func sql(_ text: StaticString) throws(StorageError) -> Statement {
    do throws(SQLiteError) { return try statement(text) } catch { throw .sqlite(error) }
  }
}

extension Statement {
  func perform() throws(StorageError) {
    do throws(SQLiteError) { try run() } catch { throw .sqlite(error) }
  }

  /// The first row; nil if there is none.
  func one<R>(_ read: (Statement) -> R) throws(StorageError) -> R? {
    do throws(SQLiteError) { return try first(read) } catch { throw .sqlite(error) }
  }

  func each(_ body: (Statement) -> Void) throws(StorageError) {
    do throws(SQLiteError) { try forEach(body) } catch { throw .sqlite(error) }
  }

  /// Goes on while the body answers true.
  func eachWhile(_ body: (Statement) -> Bool) throws(StorageError) {
    do throws(SQLiteError) { try forEachWhile(body) } catch { throw .sqlite(error) }
  }
}
