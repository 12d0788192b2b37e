import FoundationEssentials
import Inventory
import SQL

/// The calls of `SQL.Connection` with the error `StorageError`, so that the closures passed to them can also throw
/// refusals.
extension Connection {
  func sql(_ text: StaticString) throws(StorageError) -> Statement {
    do throws(DatabaseError) { return try statement(text) } catch { throw .database(error) }
  }

  /// The statement of the connection's engine.
  func sql(
    sqlite: StaticString, postgreSQL: StaticString
  ) throws(StorageError) -> Statement {
    try sql(engine == .sqlite ? sqlite : postgreSQL)
  }

  /// - Parameters:
  ///   - with: the start of the statement, before `columns`: `WITH` and its tables, or `SELECT`. It must always be the
  ///     same for the same `columns` and `rest`, by which the statement is cached.
  ///   - columns: `SELECT` and columns that other statements read too.
  func sql(
    with: StaticString = "", _ columns: StaticString, _ rest: StaticString
  ) throws(StorageError) -> Statement {
    do throws(DatabaseError) { return try statement(with: with, columns, rest) } catch {
      throw .database(error)
    }
  }
}

extension Statement {
  func perform() throws(StorageError) {
    do throws(DatabaseError) { try run() } catch { throw .database(error) }
  }

  /// Returns the number of rows that an INSERT, UPDATE or DELETE has changed.
  func performCounting() throws(StorageError) -> Int {
    do throws(DatabaseError) { return try runCounting() } catch { throw .database(error) }
  }

  /// Runs an INSERT into a table with the primary key `key`. Returns the new row's key.
  func insert<Subject>() throws(StorageError) -> Key<Subject> {
    do throws(DatabaseError) { return Key(try insert()) } catch { throw .database(error) }
  }

  /// The first row; nil if there is none.
  func one<R>(_ read: (Statement) -> R) throws(StorageError) -> R? {
    do throws(DatabaseError) { return try first(read) } catch { throw .database(error) }
  }

  /// Whether there is a row.
  func hasRow() throws(StorageError) -> Bool { try one { _ in true } ?? false }

  /// The values of all rows.
  func all<R>(_ read: (Statement) throws(StorageError) -> R) throws(StorageError) -> [R] {
    var all: [R] = []
    try each { (row) throws(StorageError) in all.append(try read(row)) }
    return all
  }

  func each(_ body: (Statement) throws(StorageError) -> Void) throws(StorageError) {
    try forEachWhile { (row) throws(StorageError) in
      try body(row)
      return true
    }
  }

  /// Calls the body for each row until it returns false.
  func eachWhile(_ body: (Statement) throws(StorageError) -> Bool) throws(StorageError) {
    try forEachWhile(body)
  }
}

/// Reads numbers for arithmetic. A damaged file can hold any number. Values out of range are clamped, so that no sum or
/// difference overflows. The command `check` reports them.
extension Statement {
  func time(_ column: Int) -> Timestamp {
    let seconds = Timestamp.range.lowerBound.seconds...Timestamp.range.upperBound.seconds
    return Timestamp(seconds: min(max(int64(column), seconds.lowerBound), seconds.upperBound))
  }

  /// A number of rows, an index, or a size in bytes.
  func count(_ column: Int) -> Int { min(max(int(column), 0), 1 << 40) }

  /// A number that each change increases.
  func version(_ column: Int) -> Int64 { min(max(int64(column), 0), 1 << 60) }
}

/// Ids are stored as blobs of their 16 bytes in the order of RFC 9562.
extension Statement {
  @discardableResult
  func bind(_ id: (some Identifier)?) -> Statement {
    guard let id else { return bindNull() }
    return withUnsafeBytes(of: id.uuid.uuid) { bind(bytes: $0) }
  }

  func uuid(_ column: Int) -> UUID {
    withBytes(column) { bytes in
      guard bytes.count == 16 else {
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      }
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }

  func photoOrNil(_ column: Int) -> PhotoID? { isNull(column) ? nil : PhotoID(uuid(column)) }
}
