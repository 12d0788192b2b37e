import FoundationEssentials
import Inventory
import SQLite

/// The same calls as the wrapper's, throwing this target's error, so that bodies can refuse.
extension Connection {
  func sql(_ text: StaticString) throws(StorageError) -> Statement {
    do throws(SQLiteError) { return try statement(text) } catch { throw .sqlite(error) }
  }

  /// - Parameter columns: `SELECT` and columns that other statements read too.
  func sql(_ columns: StaticString, _ rest: StaticString) throws(StorageError) -> Statement {
    do throws(SQLiteError) { return try statement(columns, rest) } catch { throw .sqlite(error) }
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

/// Numbers that are counted with. In a damaged file they may be any: those out of range become the nearest in it, so that
/// no sum or difference overflows. `check` finds them.
extension Statement {
  func time(_ column: Int) -> Timestamp {
    let seconds = Timestamp.range.lowerBound.seconds...Timestamp.range.upperBound.seconds
    return Timestamp(seconds: min(max(int64(column), seconds.lowerBound), seconds.upperBound))
  }

  /// A number of rows, an index, or a size in bytes.
  func count(_ column: Int) -> Int { min(max(int(column), 0), 1 << 40) }

  /// A number that each change raises.
  func version(_ column: Int) -> Int64 { min(max(int64(column), 0), 1 << 60) }
}

/// Ids are kept as blobs of their 16 bytes in the order of RFC 9562.
extension Statement {
  @discardableResult
  func bind(_ id: some Identifier) -> Statement {
    withUnsafeBytes(of: id.uuid.uuid) { bind(bytes: $0) }
  }

  @discardableResult
  func bind(_ id: RowID?) -> Statement {
    guard let id else { return bindNull() }
    return bind(id)
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
