#if PostgreSQL
  import Testing

  @testable import SQL

  @Suite struct PostgreSQLTextTests {
    @Test(arguments: [
      ("SELECT ?, ?", "SELECT $1, $2", 2),
      (
        "SELECT ?2 FROM t WHERE a = ?1 AND b = ?12", "SELECT $2 FROM t WHERE a = $1 AND b = $12", 12
      ),
      ("SELECT 'really?' || ?1", "SELECT 'really?' || $1", 1),
      ("SELECT 'it''s?', ?", "SELECT 'it''s?', $1", 1),
      ("SELECT a FROM t CROSS JOIN u ON u.a = t.a", "SELECT a FROM t JOIN u ON u.a = t.a", 0),
      ("SELECT length(CAST(a AS BLOB))", "SELECT octet_length((a))", 0),
      ("SELECT ?1", "SELECT $1", 1),
    ])
    func `a statement is translated`(sqlite: String, postgreSQL: String, parameters: Int) {
      let text = PostgreSQLText(sqlite)
      #expect(text.sql.split(separator: "\n").joined() == postgreSQL)
      #expect(text.parameterCount == parameters)
    }
  }
#endif
