import SQL
import Testing

/// What stays and what is undone.
@Suite struct TransactionTests {
  private enum OwnError: DatabaseErrorWrapping, Equatable {
    case own
    case database(DatabaseError)

    init(database error: DatabaseError) { self = .database(error) }
  }

  private func table() throws -> Connection {
    try Connection.inMemory("CREATE TABLE t (a INTEGER) STRICT")
  }

  private func insert(_ number: Int, _ connection: Connection) throws(OwnError) {
    do throws(DatabaseError) {
      try connection.statement("INSERT INTO t VALUES (?)").bind(number).run()
    } catch {
      throw .database(error)
    }
  }

  private func numbers(_ connection: Connection) throws -> [Int] {
    var numbers: [Int] = []
    try connection.statement("SELECT a FROM t ORDER BY a").forEach { numbers.append($0.int(0)) }
    return numbers
  }

  @Test(arguments: [Connection.TransactionKind.deferred, .immediate])
  func `a transaction commits, or is undone when its body throws`(
    kind: Connection.TransactionKind
  ) throws {
    let connection = try table()
    let result = try connection.transaction(kind) { () throws(OwnError) in
      #expect(!connection.isAutocommit)
      try insert(1, connection)
      return "done"
    }
    #expect(result == "done")
    #expect(connection.isAutocommit)
    let error = failure { () throws(OwnError) in
      try connection.transaction(kind) { () throws(OwnError) in
        try insert(2, connection)
        throw OwnError.own
      }
    }
    #expect(error == .own)
    #expect(connection.isAutocommit)
    #expect(try numbers(connection) == [1])
  }

  @Test func `nested savepoints undo their own part`() throws {
    let connection = try table()
    try connection.transaction(.immediate) { () throws(OwnError) in
      try insert(1, connection)
      try connection.savepoint { () throws(OwnError) in
        try insert(2, connection)
        let inner = failure { () throws(OwnError) in
          try connection.savepoint { () throws(OwnError) in
            try insert(3, connection)
            throw OwnError.own
          }
        }
        #expect(inner == .own)
        try connection.savepoint { () throws(OwnError) in try insert(4, connection) }
      }
      let outer = failure { () throws(OwnError) in
        try connection.savepoint { () throws(OwnError) in
          try insert(5, connection)
          try connection.savepoint { () throws(OwnError) in try insert(6, connection) }
          throw OwnError.own
        }
      }
      #expect(outer == .own)
      try insert(7, connection)
    }
    #expect(try numbers(connection) == [1, 2, 4, 7])
  }

  @Test func `a savepoint outside of a transaction is refused`() throws {
    let connection = try table()
    let error = failure { () throws(DatabaseError) in
      try connection.savepoint { () throws(DatabaseError) in _ = Issue.record("it ran") }
    }
    #expect(error?.isMisuse == true)
  }

  @Test func `a transaction within one is refused and leaves the outer one`() throws {
    let connection = try table()
    try connection.transaction(.deferred) { () throws(OwnError) in
      let inner = failure { () throws(OwnError) in
        try connection.transaction(.deferred) { () throws(OwnError) in }
      }
      #expect(inner != nil)
      #expect(!connection.isAutocommit)
      try insert(1, connection)
    }
    #expect(try numbers(connection) == [1])
  }

  @Test func `a full disk rolls back to the last commit, and writes work again once there is room`()
    throws
  {
    let file = TemporaryDatabase()
    let connection = try file.open()
    try connection.execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (0)")
    try connection.execute("CREATE TABLE filling (b BLOB) STRICT")
    _ = try connection.integer("PRAGMA max_page_count = 20")

    var wasRolledBack = false
    let error = failure { () throws(DatabaseError) in
      try connection.transaction(.immediate) { () throws(DatabaseError) in
        try connection.statement("INSERT INTO t VALUES (?)").bind(1).run()
        do throws(DatabaseError) {
          try connection.savepoint { () throws(DatabaseError) in
            try connection.execute("INSERT INTO filling VALUES (zeroblob(1000000))")
          }
        } catch {
          wasRolledBack = connection.isAutocommit
          throw error
        }
      }
    }
    #expect(error?.isFull == true)
    #expect(wasRolledBack)
    #expect(connection.isAutocommit)
    #expect(try numbers(connection) == [0])

    _ = try connection.integer("PRAGMA max_page_count = 100000")
    try connection.transaction(.immediate) { () throws(DatabaseError) in
      try connection.execute("INSERT INTO filling VALUES (zeroblob(1000000))")
    }
    #expect(try connection.prepare("PRAGMA integrity_check").first { $0.string(0) } == "ok")
  }

  @Test func `a commit after SQLite rolled back by itself fails`() throws {
    let connection = try table()
    try connection.execute("CREATE UNIQUE INDEX once ON t (a)")
    let error = failure { () throws(DatabaseError) in
      try connection.transaction(.immediate) { () throws(DatabaseError) in
        try connection.statement("INSERT INTO t VALUES (1)").run()
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        #expect(connection.isAutocommit)
      }
    }
    #expect(error?.isRolledBack == true)
    #expect(try numbers(connection) == [])
  }

  @Test func `a second writer is busy`() throws {
    let file = TemporaryDatabase()
    let first = try file.open()
    try first.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER) STRICT")
    let second = try file.open()
    second.setBusyTimeout(milliseconds: 1)
    try first.begin(.immediate)
    let error = failure { () throws(DatabaseError) in try second.begin(.immediate) }
    #expect(error?.isBusy == true)
    #expect(second.isAutocommit)
    first.rollback()
    first.rollback()
    try second.transaction(.immediate) { () throws(OwnError) in try insert(1, second) }
    #expect(try numbers(first) == [1])
  }
}
