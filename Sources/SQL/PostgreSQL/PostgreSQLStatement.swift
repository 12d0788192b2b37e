#if PostgreSQL
  import CPostgreSQL

  /// A statement of a session, with its parameters and the rows of its last run.
  final class PostgreSQLStatement {
    let session: PostgreSQLSession
    private(set) var sql: String
    private var returnsKey = false
    let parameterCount: Int
    private let prepares: Bool
    private var values: [PostgreSQLValue] = []
    /// The last known type of each parameter. A null has no type of its own.
    private var types: [Oid] = []
    /// The names by which the server knows this statement, by the types of its parameters.
    private var names: [[Oid]: String] = [:]
    private var generation = 0
    private var result: OpaquePointer?
    private var row: Int32 = -1
    private var rowCount: Int32 = 0

    /// - Parameter prepares: whether the server keeps the statement for further runs.
    init(_ text: String, _ session: PostgreSQLSession, prepares: Bool) {
      self.session = session
      let portable = PostgreSQLText(text)
      sql = portable.sql
      parameterCount = portable.parameterCount
      self.prepares = prepares
      types = Array(repeating: 0, count: parameterCount)
    }

    deinit { clear() }

    var boundCount: Int { values.count }

    /// Whether it is between two of its rows.
    var isBusy: Bool { result != nil }

    func bind(_ value: PostgreSQLValue) {
      if values.count < parameterCount, value.type != 0 { types[values.count] = value.type }
      values.append(value)
    }

    /// Makes an INSERT return the keys of its rows. Call this before the first run.
    func returnKey() {
      guard !returnsKey else { return }
      returnsKey = true
      sql += "\nRETURNING key"
    }

    /// Moves to the next row. At the end returns false and resets.
    func step() throws(DatabaseError) -> Bool {
      if result == nil { try run() }
      row += 1
      if row < rowCount { return true }
      reset()
      return false
    }

    /// Sends the statement without waiting for its result. Returns false if its result may be needed, outside of a
    /// transaction, and for transaction poolers, which may not support it.
    func queue() throws(DatabaseError) -> Bool {
      guard session.settings.prepares, isChange, result == nil, !session.isIdle else {
        return false
      }
      try session.queue(try preparedName(), sql, types, values)
      reset()
      return true
    }

    /// Whether it only changes rows, or begins or ends a savepoint.
    private var isChange: Bool {
      ["INSERT", "UPDATE", "DELETE", "SAVEPOINT", "RELEASE"].contains { sql.hasPrefix($0) }
    }

    private func run() throws(DatabaseError) {
      let result = try session.opening { () throws(DatabaseError) in
        try session.run(try preparedName(), sql, types, values)
      }
      self.result = result
      rowCount = PQntuples(result)
    }

    /// The name by which the server knows the statement; nil if it is not kept there.
    private func preparedName() throws(DatabaseError) -> String? {
      guard prepares else { return nil }
      if generation != session.generation {
        names = [:]
        generation = session.generation
      }
      if let known = names[types] { return known }
      let made = session.newName()
      try session.prepare(made, sql, types)
      names[types] = made
      return made
    }

    func reset() {
      clear()
      values.removeAll(keepingCapacity: true)
    }

    private func clear() {
      if let result { PQclear(result) }
      result = nil
      row = -1
      rowCount = 0
    }

    // MARK: Columns of the current row

    func isNull(_ column: Int) -> Bool { PQgetisnull(result, row, Int32(column)) != 0 }

    func isInteger(_ column: Int) -> Bool {
      let type = PQftype(result, Int32(column))
      return !isNull(column)
        && [PostgreSQLType.int8, PostgreSQLType.int4, PostgreSQLType.int2].contains(type)
    }

    func isText(_ column: Int) -> Bool { PQftype(result, Int32(column)) == PostgreSQLType.text }

    func data(_ column: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: PQgetvalue(result, row, Int32(column)),
        count: Int(PQgetlength(result, row, Int32(column))))
    }

    /// 0 for null and for a text.
    func int64(_ column: Int) -> Int64 {
      guard !isNull(column) else { return 0 }
      let data = data(column)
      switch PQftype(result, Int32(column)) {
      case PostgreSQLType.int8: return Int64(bigEndian: data.loadUnaligned(as: Int64.self))
      case PostgreSQLType.int4: return Int64(Int32(bigEndian: data.loadUnaligned(as: Int32.self)))
      case PostgreSQLType.int2: return Int64(Int16(bigEndian: data.loadUnaligned(as: Int16.self)))
      case PostgreSQLType.bool: return data[0] == 0 ? 0 : 1
      case PostgreSQLType.numeric: return Self.numeric(data)
      case PostgreSQLType.float8: return Int64(double(column))
      default: return 0
      }
    }

    func double(_ column: Int) -> Double {
      guard !isNull(column) else { return 0 }
      guard PQftype(result, Int32(column)) == PostgreSQLType.float8 else {
        return Double(int64(column))
      }
      return Double(
        bitPattern: UInt64(bigEndian: data(column).loadUnaligned(as: UInt64.self)))
    }

    /// The whole part of a `numeric`, the type of sums. Its digits have the base 10,000:
    /// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/numeric.c, numeric_send
    private static func numeric(_ data: UnsafeRawBufferPointer) -> Int64 {
      func word(_ index: Int) -> Int16 {
        Int16(bigEndian: data.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
      }
      let (count, weight, sign) = (Int(word(0)), Int(word(1)), UInt16(bitPattern: word(2)))
      var value: Int64 = 0
      guard weight >= 0 else { return 0 }
      for place in 0...weight {
        let digit = place < count ? Int64(word(4 + place)) : 0
        value = value &* 10_000 &+ digit
      }
      return sign == 0x4000 ? -value : value
    }
  }
#endif
