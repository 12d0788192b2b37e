#if PostgreSQL
  import CSQLite

  extension DatabaseError {
    /// An error of the server: https://www.postgresql.org/docs/15/errcodes-appendix.html
    ///
    /// Its code is the SQLite code for the same condition, so that all properties hold for both engines.
    init(sqlState: String, message: String, context: String) {
      let code: Int32 =
        switch sqlState {
        case "53100": SQLITE_FULL
        case "57014": SQLITE_INTERRUPT
        case "40001", "40P01", "55P03": SQLITE_BUSY
        case "XX001", "XX002": SQLITE_CORRUPT
        case _ where sqlState.hasPrefix("23"): SQLITE_CONSTRAINT
        case _ where sqlState.hasPrefix("08"), _ where sqlState.hasPrefix("57P"), "53300", "25P03",
          "25006":
          Self.unavailable
        default: SQLITE_ERROR
        }
      self.init(
        extendedCode: code, message: message, context: context, sqlState: sqlState)
    }

    /// The connection is broken, or could not be made: SQLSTATE 08006.
    static func unavailable(_ message: String, _ context: String) -> DatabaseError {
      DatabaseError(sqlState: "08006", message: message, context: context)
    }
  }
#endif
