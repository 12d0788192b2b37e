import SQLite
import Testing

/// Blobs in pieces, and copies of the whole.
@Suite struct BlobAndBackupTests {
  @Test func `a blob is written and read in pieces`() throws {
    let connection = try Connection.inMemory("CREATE TABLE photo (bytes BLOB) STRICT")
    try connection.statement("INSERT INTO photo VALUES (?)").bind(zeros: 10).run()
    let row = connection.lastInsertRowID
    do {
      let blob = try connection.openBlob(
        table: "photo", column: "bytes", row: row, writable: true)
      #expect(blob.count == 10)
      try blob.write([1, 2, 3], at: 0)
      try blob.write([9], at: 9)
      #expect(try blob.read(4, at: 0) == [1, 2, 3, 0])
      var buffer: [UInt8] = [0, 0]
      try buffer.withUnsafeMutableBytes { try blob.read(into: $0, at: 8) }
      #expect(buffer == [0, 9])
      for (count, offset) in [(1, 10), (11, 0), (-1, 0), (1, -1), (.max, 1)] {
        do throws(SQLiteError) {
          _ = try blob.read(count, at: offset)
          Issue.record("read \(count) at \(offset)")
        } catch {
          #expect(error.code == 1)
        }
      }
      do throws(SQLiteError) {
        try blob.write([1], at: 10)
        Issue.record("written past the end")
      } catch {
        #expect(error.code == 1)
      }
    }
    let whole = try connection.statement("SELECT bytes FROM photo").first { $0.bytes(0) }
    #expect(whole == [1, 2, 3, 0, 0, 0, 0, 0, 0, 9])
  }

  @Test func `a blob that is not there is an error, and one to be read is not written`() throws {
    let connection = try Connection.inMemory("CREATE TABLE photo (bytes BLOB) STRICT")
    let missing = failure { () throws(SQLiteError) in
      _ = try connection.openBlob(table: "photo", column: "bytes", row: 1)
    }
    #expect(missing?.context == "open photo.bytes of row 1")
    try connection.statement("INSERT INTO photo VALUES (x'0102')").run()
    let blob = try connection.openBlob(table: "photo", column: "bytes", row: 1)
    do throws(SQLiteError) {
      try blob.write([1], at: 0)
      Issue.record("written")
    } catch {
      #expect(error.isReadOnly)
    }
  }

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

  @Test func `a backup can be given up, and where it cannot be made is told`() throws {
    let file = TemporaryDatabase()
    let connection = try filled(file)
    let stopped = failure { () throws(SQLiteError) in
      try connection.backup(to: file.folder + "/copy.db", pagesPerStep: 5) { _, _ in false }
    }
    #expect(stopped?.isInterrupted == true)
    let nowhere = failure { () throws(SQLiteError) in
      try connection.backup(to: file.folder + "/no/copy.db")
    }
    #expect(nowhere?.isCannotOpen == true)
  }
}
