import CSQLite

/// The SQLite library that this process has loaded, which need not be the one of its headers.
package enum SQLiteVersion {
  /// Major × 1,000,000 + minor × 1,000 + patch: https://www.sqlite.org/c3ref/libversion.html
  package static var number: Int { Int(sqlite3_libversion_number()) }

  package static var text: String { String(cString: sqlite3_libversion()) }

  /// The oldest that has all that the store uses: STRICT tables (3.37), RETURNING (3.35) and
  /// the optimizer's fixes up to Debian 12's.
  package static let oldestSupported = 3_040_000

  package static var isSupported: Bool { number >= oldestSupported }
}
