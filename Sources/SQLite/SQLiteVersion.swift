import CSQLite

/// The SQLite library loaded by this process. Its version may differ from that of the headers.
package enum SQLiteVersion {
  /// Major × 1,000,000 + minor × 1,000 + patch: https://www.sqlite.org/c3ref/libversion.html
  package static var number: Int { Int(sqlite3_libversion_number()) }

  package static var text: String { String(cString: sqlite3_libversion()) }

  /// The oldest version that has all features the store uses: STRICT tables (3.37), RETURNING (3.35), and the
  /// optimizer's fixes up to Debian 12's version.
  package static let oldestSupported = 3_040_000

  package static var isSupported: Bool { number >= oldestSupported }
}
