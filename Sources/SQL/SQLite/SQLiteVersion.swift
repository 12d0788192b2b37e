import CSQLite

/// The SQLite library loaded by this process. Its version may differ from that of the headers.
package enum SQLiteVersion {
  package static var text: String { String(cString: sqlite3_libversion()) }

  /// Whether it has all features the store uses: STRICT tables (3.37), RETURNING (3.35), and the optimizer's fixes up
  /// to Debian 12's version. https://www.sqlite.org/c3ref/libversion.html
  package static var isSupported: Bool { sqlite3_libversion_number() >= 3_040_000 }
}
