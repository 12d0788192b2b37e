import SQL
import Testing

/// Binding, running and reading.
@Suite struct StatementTests {
  private enum OwnError: DatabaseErrorWrapping, Equatable {
    case own
    case database(DatabaseError)

    init(database error: DatabaseError) { self = .database(error) }
  }

  private func numbers(_ count: Int) throws -> Connection {
    let connection = try Connection.inMemory("CREATE TABLE t (a INTEGER UNIQUE) STRICT")
    for number in 0..<count {
      try connection.statement("INSERT INTO t VALUES (?)").bind(number).run()
    }
    return connection
  }

  @Test(arguments: [
    "", "a", "a\u{0}b", "\u{0}", "😀", "é", "e\u{301}", String(repeating: "ü", count: 100_000),
  ])
  func `a text comes back as it was`(text: String) throws {
    let connection = try Connection.inMemory("CREATE TABLE t (a TEXT) STRICT")
    try connection.statement("INSERT INTO t VALUES (?)").bind(text).run()
    let read = try connection.statement("SELECT a, typeof(a) FROM t").first { row in
      #expect(row.string(1) == "text")
      #expect(row.text(0).map { Array($0) } == Array(text.utf8))
      return row.string(0)
    }
    #expect(read.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func `invalid UTF-8 is repaired`() throws {
    let connection = try Connection.inMemory()
    let read = try connection.statement("SELECT CAST(x'61ff62' AS TEXT)").first { $0.string(0) }
    #expect(read == "a\u{fffd}b")
  }

  @Test(arguments: [[], [0], [1, 0, 255], [UInt8](repeating: 7, count: 100_000)])
  func `a blob comes back as it was`(bytes: [UInt8]) throws {
    let connection = try Connection.inMemory()
    let read = try connection.statement("SELECT ?1, typeof(?1)").bind(bytes).first { row in
      #expect(row.string(1) == "blob")
      return (row.bytes(0), row.withBytes(0) { Array($0) })
    }
    #expect(read?.0 == bytes)
    #expect(read?.1 == bytes)
  }

  @Test(arguments: [0, 1, -1, .max, .min])
  func `an integer comes back as it was`(number: Int64) throws {
    let connection = try Connection.inMemory()
    #expect(try connection.statement("SELECT ?").bind(number).first { $0.int64(0) } == number)
  }

  @Test func `nil is NULL and zero is not`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.statement("SELECT ?, ?, ?, ?, ?, ?, ?")
      .bind(nil as Int?).bind(nil as Int64?).bind(nil as String?).bind(nil as [UInt8]?).bindNull()
      .bind(0).bind("")
    try statement.forEach { row in
      for column in 0..<5 {
        #expect(row.isNull(column) && !row.isInteger(column))
        #expect(row.intOrNil(column) == nil && row.int64OrNil(column) == nil)
        #expect(row.stringOrNil(column) == nil && row.bytesOrNil(column) == nil)
      }
      #expect(row.intOrNil(5) == 0)
      #expect(row.stringOrNil(6) == "")
    }
    let mixed = try connection.statement("SELECT ?, 1.5").bind(true).first {
      ($0.isInteger(0) && $0.bool(0), $0.double(1), $0.isInteger(1))
    }
    #expect(mixed?.0 == true)
    #expect(mixed?.1 == 1.5)
    #expect(mixed?.2 == false)
  }

  @Test(arguments: [0, 1, 3])
  func `a wrong number of values is an error`(count: Int) throws {
    let connection = try Connection.inMemory()
    let statement = try connection.statement("SELECT ?, ?")
    for number in 0..<count { statement.bind(number) }
    let error = failure { () throws(DatabaseError) in try statement.run() }
    #expect(error?.code == 25)
    #expect(error?.message == "\(count) values for 2 parameters")
    #expect(try statement.bind(1).bind(2).first { $0.int(1) } == 2)
  }

  @Test func `a value too large is an error of the step`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.statement("SELECT length(zeroblob(?))")
      .bind(3_000_000_000)
    #expect(failure { () throws(DatabaseError) in try statement.run() }?.code == 18)
    #expect(try statement.bind(3).first { $0.int(0) } == 3)
  }

  @Test func `a statement is fit for use after an error`() throws {
    let connection = try numbers(3)
    let insert = try connection.statement("INSERT INTO t VALUES (?)")
    let error = failure { () throws(DatabaseError) in try insert.bind(1).run() }
    #expect(error?.code == 19)
    try insert.bind(3).run()
    #expect(try connection.integer("SELECT count(*) FROM t") == 4)
  }

  @Test func `values left bound are forgotten by the next user`() throws {
    let connection = try Connection.inMemory()
    func statement() throws(DatabaseError) -> Statement {
      try connection.statement("SELECT ?, ?")
    }
    try statement().bind(1)
    #expect(try statement().bind(2).bind(3).first { $0.int(0) } == 2)
  }

  @Test func `first is nil without rows and leaves none open`() throws {
    let connection = try numbers(3)
    #expect(try connection.statement("SELECT a FROM t WHERE a > 5").first { $0.int(0) } == nil)
    #expect(try connection.statement("SELECT a FROM t ORDER BY a").first { $0.int(0) } == 0)
    // A read left open would refuse this.
    try connection.execute("DROP TABLE t")
  }

  @Test func `rows are walked to the end, or until the body has enough, or throws`() throws {
    let connection = try numbers(5)
    func rows() throws(DatabaseError) -> Statement {
      try connection.statement("SELECT a FROM t ORDER BY a")
    }
    var seen: [Int] = []
    try rows().forEach { seen.append($0.int(0)) }
    #expect(seen == [0, 1, 2, 3, 4])

    seen = []
    try rows().forEachWhile { (row) throws(DatabaseError) in
      seen.append(row.int(0))
      return seen.count < 2
    }
    #expect(seen == [0, 1])

    seen = []
    let error = failure { () throws(OwnError) in
      guard let statement = try? rows() else { return }
      try statement.forEachWhile { (row) throws(OwnError) in
        seen.append(row.int(0))
        if seen.count == 3 { throw OwnError.own }
        return true
      }
    }
    #expect(error == .own)
    #expect(seen == [0, 1, 2])
    try connection.execute("DROP TABLE t")
  }

  @Test func `an error of SQLite's is wrapped for a body that throws its own`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.statement("SELECT abs(?)")
    let error = failure { () throws(OwnError) in
      try statement.bind(.min as Int64).forEachWhile { (_) throws(OwnError) in true }
    }
    guard case .database(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.message == "integer overflow")
  }

  @Test func `a statement may outlive its connection`() throws {
    let statement = try Connection.inMemory().prepare("SELECT 1")
    #expect(try statement.first { $0.int(0) } == 1)
  }
}
