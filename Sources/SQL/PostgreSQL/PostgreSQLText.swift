#if PostgreSQL
  /// A statement that is written for SQLite, in the words of PostgreSQL.
  ///
  /// Statements keep to what both engines know. The schema defines the few functions that PostgreSQL lacks. What is
  /// left to translate are parameters (`?1` becomes `$1`), `CROSS JOIN … ON`, which in SQLite fixes the order of a
  /// join, and the number of bytes in a text.
  struct PostgreSQLText {
    let sql: String
    let parameterCount: Int

    init(_ text: String) {
      var sql = ""
      var count = 0
      var isQuoted = false
      var number: String?
      for character in text + "\n" {
        if let digits = number {
          if character.isNumber {
            number = digits + String(character)
            continue
          }
          let place = Int(digits) ?? count + 1
          count = max(count, place)
          sql += "$\(place)"
          number = nil
        }
        if character == "'" { isQuoted.toggle() }
        if character == "?", !isQuoted { number = "" } else { sql.append(character) }
      }
      for (ours, theirs) in Self.words { sql = sql.replacing(ours, with: theirs) }
      self.sql = sql
      parameterCount = count
    }

    private static let words = [
      ("CROSS JOIN ", "JOIN "), ("length(CAST(", "octet_length(("), (" AS BLOB))", "))"),
    ]

  }
#endif
