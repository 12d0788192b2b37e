#if PostgreSQL
  import Glibc
  import SQL

  /// Copies all tables from a file to a server's database, or back. Ids, revisions, history, trash, photos, tokens and
  /// idempotency keys stay as they are, so clients go on with what they know.
  ///
  /// Both schemas have the same tables and columns. The index for searches is not copied; the target makes its own.
  struct DatabaseCopy {
    let source: Connection
    let target: Connection
    var progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }

    /// The tables, each after those that its rows refer to.
    private static let tables = [
      "inventory", "row", "arrival", "list", "node", "change", "operation", "edit", "trash",
      "staging",
      "purge", "answer", "token", "invitation", "navigator", "navigator_tab", "navigator_screen",
      "appearance", "photo", "photo_piece", "photo_rendition", "arrangement", "arranged_leaf",
      "arranged_row", "sync_client", "sync_result",
    ]
    /// The tables that never use a key twice. Their counters are copied too.
    private static let counted = ["row", "photo", "arrangement"]
    /// The tables whose keys are numbered by the database.
    private static let numbered = counted + ["inventory", "answer", "navigator", "sync_client"]

    /// The bounds of a batch. A row with a piece of a photo has 64 KiB.
    private static let rowsAtOnce = 500
    private static let bytesAtOnce = 1 << 20

    /// Copies everything in one transaction of the target, which must have no rows yet.
    func run() throws(StorageError) {
      try source.transaction(.deferred) { () throws(StorageError) in
        try target.transaction(.immediate) { () throws(StorageError) in
          var (done, all) = (0, 0)
          do throws(DatabaseError) { try copyTables(&done, &all) } catch { throw .database(error) }
          guard target.engine == .postgreSQL else { return }
          try WordIndex.indexAll(in: target) { count in
            done += count
            progress(done, all)
          }
        }
      }
    }

    /// - Parameters:
    ///   - done: the rows copied.
    ///   - all: the rows of all tables. Those whose words are indexed after that count twice.
    private func copyTables(_ done: inout Int, _ all: inout Int) throws(DatabaseError) {
      if target.engine == .postgreSQL { try target.execute("SET CONSTRAINTS ALL DEFERRED") }
      for table in Self.tables + (target.engine == .postgreSQL ? ["row"] : []) {
        all += try source.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) } ?? 0
      }
      for table in Self.tables { try copy(table, &done, of: all) }
      try copyCounters()
    }

    private func copy(_ table: String, _ done: inout Int, of all: Int) throws(DatabaseError) {
      let columns = try columns(of: table)
      let writer = TableWriter(table: table, columns: columns, to: target)
      var batch: [[SQLValue]] = []
      var bytes = 0
      try forEachRow(of: table, columns) { (row) throws(DatabaseError) in
        let values = columns.indices.map { index in
          Self.translated(row.value(index), table, columns[index], to: target.engine)
        }
        bytes += values.reduce(0) { $0 + $1.size }
        batch.append(values)
        guard batch.count >= Self.rowsAtOnce || bytes >= Self.bytesAtOnce else { return }
        try writer.write(batch)
        done += batch.count
        progress(done, all)
        (batch, bytes) = ([], 0)
      }
      try writer.write(batch)
      done += batch.count
      progress(done, all)
    }

    /// The columns of a table, in the order of the file. The server may have them in another order.
    private func columns(of table: String) throws(DatabaseError) -> [String] {
      let file = source.engine == .sqlite ? source : target
      var names: [String] = []
      try file.prepare("SELECT name FROM pragma_table_info(?1)").bind(table).forEach {
        names.append($0.string(0))
      }
      return names
    }

    private func forEachRow(
      of table: String, _ columns: [String], _ body: (Statement) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
      let select = "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
      guard source.engine == .postgreSQL else {
        return try source.prepare(select).forEachWhile { (row) throws(DatabaseError) in
          try body(row)
          return true
        }
      }
      // A statement of the server has all its rows in memory.
      let count = table == "photo_piece" || table == "photo_rendition" ? 16 : Self.rowsAtOnce
      try source.execute("DECLARE copied NO SCROLL CURSOR FOR \(select)")
      let fetch = try source.prepare("FETCH \(count) FROM copied")
      var isAtEnd = false
      while !isAtEnd {
        isAtEnd = true
        try fetch.forEachWhile { (row) throws(DatabaseError) in
          isAtEnd = false
          try body(row)
          return true
        }
      }
      try source.execute("CLOSE copied")
    }

    /// A file's columns of any type hold integers and texts. On a server they are texts with a letter for the type.
    private static func translated(
      _ value: SQLValue, _ table: String, _ column: String, to engine: Connection.Engine
    ) -> SQLValue {
      guard table == "edit", column == "before" || column == "after" else { return value }
      switch (engine, value) {
      case (.postgreSQL, .integer(let number)): return .text("i\(number)")
      case (.postgreSQL, .text(let text)): return .text("t" + text)
      case (.sqlite, .text(let text)) where text.first == "i":
        return Int64(text.dropFirst()).map(SQLValue.integer) ?? .null
      case (.sqlite, .text(let text)): return .text(String(text.dropFirst()))
      default: return value
      }
    }

    /// Continues the numbering of keys where the source stopped.
    private func copyCounters() throws(DatabaseError) {
      for table in Self.numbered {
        var last =
          try target.prepare("SELECT coalesce(max(key), 0) FROM \(table)").first { $0.int64(0) }
          ?? 0
        if Self.counted.contains(table) { last = max(last, try counter(of: table)) }
        guard last > 0 else { continue }
        if target.engine == .postgreSQL {
          try target.prepare("SELECT setval(CAST(?1 AS regclass), ?2)")
            .bind("\(table)_key_seq").bind(last).run()
        } else if Self.counted.contains(table) {
          try target.prepare("DELETE FROM sqlite_sequence WHERE name = ?1").bind(table).run()
          try target.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)")
            .bind(table).bind(last).run()
        }
      }
    }

    /// The highest key that the source has given to a row of a table.
    private func counter(of table: String) throws(DatabaseError) -> Int64 {
      source.engine == .sqlite
        ? try source.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?1").bind(table)
          .first { $0.int64(0) } ?? 0
        : try source.prepare(
          "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(table)_key_seq"
        ).first { $0.int64(0) } ?? 0
    }
  }

  /// Inserts rows into a table.
  private struct TableWriter {
    let table: String
    let columns: [String]
    let target: Connection
    private let insertion: String

    init(table: String, columns: [String], to target: Connection) {
      self.table = table
      self.columns = columns
      self.target = target
      let names = columns.joined(separator: ", ")
      insertion =
        target.engine == .sqlite
        ? "INSERT INTO \(table) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        // One exchange with the server for all rows:
        // https://www.postgresql.org/docs/15/functions-json.html#FUNCTIONS-JSON-PROCESSING
        : "INSERT INTO \(table) (\(names)) "
          + "SELECT \(names) FROM json_populate_recordset(CAST(NULL AS \"\(table)\"), CAST(? AS json))"
    }

    func write(_ rows: [[SQLValue]]) throws(DatabaseError) {
      guard !rows.isEmpty else { return }
      let statement = try target.prepare(insertion)
      guard target.engine == .postgreSQL else {
        for row in rows {
          for value in row { statement.bind(value) }
          try statement.run()
        }
        return
      }
      let records = rows.map { row in
        let members = zip(columns, row).map { "\"\($0)\":" + $1.json }
        return "{\(members.joined(separator: ","))}"
      }
      try statement.bind("[\(records.joined(separator: ","))]").run()
    }
  }

  extension SQLValue {
    /// The approximate size, in bytes.
    fileprivate var size: Int {
      switch self {
      case .null, .integer: 8
      case .text(let text): text.utf8.count
      case .bytes(let bytes): bytes.count
      }
    }

    /// The value as PostgreSQL reads it from JSON. Bytes are hexadecimal:
    /// https://www.postgresql.org/docs/15/datatype-binary.html
    fileprivate var json: String {
      switch self {
      case .null: return "null"
      case .integer(let number): return "\(number)"
      case .text(let text):
        var json = "\""
        for scalar in text.unicodeScalars {
          switch scalar {
          case "\"": json += "\\\""
          case "\\": json += "\\\\"
          case _ where scalar.value < 0x20:
            json += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
          default: json.unicodeScalars.append(scalar)
          }
        }
        return json + "\""
      case .bytes(let bytes):
        let digits = Array("0123456789abcdef".utf8)
        var text = Array("\"\\\\x".utf8)
        text.reserveCapacity(2 * bytes.count + 5)
        for byte in bytes {
          text.append(digits[Int(byte >> 4)])
          text.append(digits[Int(byte & 15)])
        }
        text.append(UInt8(ascii: "\""))
        return String(decoding: text, as: UTF8.self)
      }
    }
  }

  extension Database {
    /// Copies a database from a file to a server, or back. The target must be new or empty. Nothing may write to the
    /// source meanwhile.
    package static func copy(
      from source: String, to target: String,
      progress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StoreOpeningError) {
      switch (ServerAddress(source), ServerAddress(target)) {
      case (nil, let address?):
        let file = try StoreFile(existing: source)
        let lock = try StoreLock(database: file.path)
        let reader = try file.openReader()
        guard try file.pending(reader).isEmpty else {
          throw .outdated(path: file.path, due: try file.pending(reader).count)
        }
        let server = PostgreSQLServer(address, .patient)
        let writer = try server.connect()
        _ = try server.migrate(writer)
        try copy(reader, writer, server.path, progress)
        lock.release()
      case (let address?, nil):
        let server = PostgreSQLServer(address, .patient)
        let reader = try server.connect()
        let file = try StoreFile(path: target)
        let lock = try StoreLock(database: file.path)
        guard !file.isThere else { throw .notEmpty(path: file.path) }
        do throws(StoreOpeningError) {
          let writer = try file.openWriter()
          _ = try file.migrate(writer)
          try copy(reader, writer, file.path, progress)
          try file.prepareWriter(writer, sizeLimit: nil)
        } catch {
          StoreFile.remove(at: file.path)
          throw error
        }
        lock.release()
      default: throw .notFileAndServer
      }
    }

    /// Checks a server's database: copies it to a temporary file, and checks that.
    static func checkCopy(
      of address: ServerAddress, shape: TreeShape,
      progress: @escaping (_ done: Int, _ all: Int) -> Void,
      note: (String) -> Void
    ) throws(StoreOpeningError) -> [String] {
      let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
      var template = Array("\(base)/rowhouse-check-XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else {
        throw .system(action: "create a folder in \(base)", code: errno)
      }
      let folder = String(cString: made)
      let path = folder + "/copy.sqlite"
      defer {
        StoreFile.remove(at: path)
        unlink(path + ".lock")
        rmdir(folder)
      }
      try copy(from: address.text, to: path)
      return try check(path: path, shape: shape, progress: progress, note: note)
    }

    private static func copy(
      _ source: Connection, _ target: Connection, _ name: String,
      _ progress: @escaping (_ done: Int, _ all: Int) -> Void
    ) throws(StoreOpeningError) {
      do throws(StorageError) {
        let count = try target.sql("SELECT count(*) FROM inventory").one { $0.int(0) }
        guard count == 0 else { throw .database(.notEmpty) }
        try DatabaseCopy(source: source, target: target, progress: progress).run()
      } catch {
        if case .database(.notEmpty) = error { throw .notEmpty(path: name) }
        throw .wrapping(error, path: name)
      }
    }
  }

  extension DatabaseError {
    fileprivate static let notEmpty = DatabaseError(
      extendedCode: 1, message: "the target has rows", context: "copy")
  }

  extension PostgreSQLSettings {
    /// For commands that read or write everything in one transaction.
    static var patient: PostgreSQLSettings {
      var settings = PostgreSQLSettings()
      settings.statementTime = .seconds(86_400)
      return settings
    }
  }
#else
  extension Database {
    /// Throws `onServer`: this build has no PostgreSQL.
    package static func copy(
      from source: String, to target: String,
      progress: @escaping (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StoreOpeningError) { throw .onServer }
  }
#endif
