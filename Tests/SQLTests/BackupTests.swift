import SQL
import Testing

@Suite struct `Copies of a database` {
  private func filled(_ file: TemporaryDatabase) throws -> Connection {
    let connection = try file.open()
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t (a INTEGER, b BLOB) STRICT;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT i, zeroblob(1000) FROM n;
      """)
    return connection
  }

  @Test func `a backup is a whole copy, made in steps`() throws {
    let file = TemporaryDatabase()
    let connection = try filled(file)
    var remaining: [Int] = []
    try connection.backup(to: file.folder + "/copy.db", pagesPerStep: 20) { left, total in
      #expect(left < total)
      remaining.append(left)
      return true
    }
    #expect(remaining.count > 3)
    #expect(remaining == remaining.sorted(by: >))
    let copy = try Connection(path: file.folder + "/copy.db", mode: .readWrite)
    #expect(try copy.integer("SELECT sum(a) FROM t") == 125_250)
    #expect(try copy.prepare("PRAGMA integrity_check").first { $0.string(0) } == "ok")
  }

  @Test func `a backup within a read transaction is of its moment`() throws {
    let file = TemporaryDatabase()
    let writer = try filled(file)
    let reader = try file.open(.readOnly)
    try reader.begin(.deferred)
    #expect(try reader.integer("SELECT count(*) FROM t") == 500)
    var steps = 0
    try reader.backup(to: file.folder + "/copy.db", pagesPerStep: 20) { _, _ in
      steps += 1
      try? writer.execute("DELETE FROM t WHERE a = \(steps)")
      return steps < 1_000
    }
    try reader.commit()
    #expect(steps < 100)
    let copy = try Connection(path: file.folder + "/copy.db", mode: .readWrite)
    #expect(try copy.integer("SELECT count(*) FROM t") == 500)
  }

  @Test func `a backup can be cancelled, and fails if the copy cannot be created`() throws {
    let file = TemporaryDatabase()
    let connection = try filled(file)
    let stopped = failure { () throws(DatabaseError) in
      try connection.backup(to: file.folder + "/copy.db", pagesPerStep: 5) { _, _ in false }
    }
    #expect(stopped?.isInterrupted == true)
    let nowhere = failure { () throws(DatabaseError) in
      try connection.backup(to: file.folder + "/no/copy.db")
    }
    #expect(nowhere?.isCannotOpen == true)
  }
}
