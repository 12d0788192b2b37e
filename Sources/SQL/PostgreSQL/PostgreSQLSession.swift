#if PostgreSQL
  import CPostgreSQL
  import Glibc

  /// A connection to a PostgreSQL server, used by one thread at a time.
  ///
  /// libpq sends each statement and waits for its result with `poll`, so that no call waits for ever:
  /// https://www.postgresql.org/docs/15/libpq-async.html
  ///
  /// If the connection breaks, every statement fails with `isUnavailable`. The next `begin` connects again.
  ///
  /// BEGIN is sent along with the first statement, and the result of ROLLBACK is read later, so that neither costs an
  /// exchange. Behind a transaction pooler both are waited for.
  final class PostgreSQLSession {
    /// The connection string or URI, as the operator gave it.
    private let address: String
    let settings: PostgreSQLSettings
    private var handle: OpaquePointer?
    /// The number of connections made so far. Statements that were prepared on an earlier one are prepared again.
    private(set) var generation = 0
    private var statementCount = 0
    /// Whether a waiting statement must stop.
    var shouldStop: (() -> Bool)?
    /// The number of rows that the last statement changed.
    private(set) var changes = 0
    /// The number of rows changed so far, without those of `queued`.
    private(set) var settledChanges = 0
    /// The changes whose results have not been read, oldest first. libpq is in pipeline mode while there are any:
    /// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
    private var queued: [String] = []
    /// The number of changes sent so far. It tells whether there was one since.
    private(set) var sentChanges = 0
    /// The BEGIN in `queued`, while nothing else is. The transaction can then begin anew on another connection.
    private var opening: String?
    /// Whether a ROLLBACK was sent whose result has not been read.
    private var isEnding = false

    /// The most changes in `queued`, so that neither side's buffers fill up.
    private static let mostQueued = 64

    init(_ address: String, _ settings: PostgreSQLSettings) throws(DatabaseError) {
      self.address = address
      self.settings = settings
      try connect()
    }

    deinit { disconnect() }

    private func disconnect() {
      queued = []
      opening = nil
      isEnding = false
      guard let handle else { return }
      PQfinish(handle)
      self.handle = nil
      ServerTraffic.connections.subtract(1, ordering: .relaxed)
    }

    // MARK: Connecting

    private func connect() throws(DatabaseError) {
      disconnect()
      let names = ["dbname", "fallback_application_name", "client_encoding"].map(Self.copy)
      let values = [address, "rowhouse", "UTF8"].map(Self.copy)
      defer { for text in names + values { free(UnsafeMutableRawPointer(mutating: text)) } }
      // Both arrays end with a null pointer. `expand_dbname` reads the first value as a connection string:
      // https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-PQCONNECTSTARTPARAMS
      handle = PQconnectStartParams(names + [nil], values + [nil], 1)
      guard let handle else { throw .unavailable("no memory", "connect") }
      ServerTraffic.connections.add(1, ordering: .relaxed)
      let end = ContinuousClock.now + settings.connectionTime
      var wait = PGRES_POLLING_WRITING
      while wait != PGRES_POLLING_OK {
        guard wait != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
          throw broken("connect")
        }
        guard ready(to: wait == PGRES_POLLING_WRITING ? POLLOUT : POLLIN, by: end) else {
          disconnect()
          throw .unavailable("the server has not answered in \(settings.connectionTime)", "connect")
        }
        wait = PQconnectPoll(handle)
      }
      // The server tells this by itself: https://www.postgresql.org/docs/15/libpq-status.html#LIBPQ-PQPARAMETERSTATUS
      if let standby = PQparameterStatus(handle, "in_hot_standby"), String(cString: standby) == "on"
      {
        disconnect()
        throw .unavailable("the server is a standby, which is read-only", "connect")
      }
      generation += 1
      // Notices would be written to standard error.
      PQsetNoticeReceiver(handle, { _, _ in }, nil)
      if settings.prepares { try execute(parameters("SET")) }
    }

    /// Sets the parameters on which everything here relies.
    ///
    /// A transaction pooler may give each transaction to another session of the server. Then the parameters are set in
    /// each: https://www.pgbouncer.org/features.html
    private func parameters(_ set: String) -> String {
      let milliseconds = Int(settings.statementTime / .milliseconds(1))
      return [
        "synchronous_commit = on", "standard_conforming_strings = on", "TimeZone = 'UTC'",
        "jit = off", "statement_timeout = \(milliseconds)", "lock_timeout = \(milliseconds)",
        "idle_in_transaction_session_timeout = \(milliseconds)",
      ].map { "\(set) \($0)" }.joined(separator: "; ")
    }

    /// A C string, which the caller frees.
    private static func copy(_ text: String) -> UnsafePointer<CChar>? {
      UnsafePointer(strdup(text))
    }

    /// Connects again if the connection has broken.
    func ensureConnected() throws(DatabaseError) {
      if let handle, PQstatus(handle) == CONNECTION_OK { return }
      try connect()
    }

    /// Whether no transaction is open. A broken connection has none.
    var isIdle: Bool {
      guard let handle, !isEnding else { return true }
      let status = PQtransactionStatus(handle)
      return status == PQTRANS_IDLE || status == PQTRANS_UNKNOWN
    }

    // MARK: Statements

    /// Runs a script and discards its rows. Returns the command tag of each statement.
    ///
    /// - Parameter last: the tag of the last statement that matters. Failures of later ones are ignored.
    @discardableResult
    func execute(_ script: String, upTo last: String? = nil) throws(DatabaseError) -> [String] {
      try flush()
      let handle = try connected(script)
      guard PQsendQuery(handle, script) == 1 else { throw broken(script) }
      ServerTraffic.trips.add(1, ordering: .relaxed)
      var tags: [String] = []
      var failure: DatabaseError?
      while true {
        let found: OpaquePointer?
        do throws(DatabaseError) { found = try next(script) } catch {
          if let last, tags.contains(last) { return tags }
          throw error
        }
        guard let result = found else { break }
        defer { PQclear(result) }
        if let error = error(in: result, script) {
          failure = failure ?? error
        } else {
          tags.append(String(cString: PQcmdStatus(result)))
        }
      }
      if let failure, !tags.contains(where: { $0 == last }) { throw failure }
      return tags
    }

    /// Begins a transaction. Connects again if the connection turns out to be broken, here or with the first statement,
    /// because nothing depends on it yet.
    func begin(_ command: String) throws(DatabaseError) {
      if (try? finishRollback()) == nil { disconnect() }
      try ensureConnected()
      guard !settings.prepares else { return try open(command) }
      let command = "\(command); \(parameters("SET LOCAL"))"
      do throws(DatabaseError) { try execute(command) } catch {
        guard error.isUnavailable else { throw error }
        try connect()
        try execute(command)
      }
    }

    private func open(_ command: String) throws(DatabaseError) {
      try queue(nil, command, [], [])
      opening = command
    }

    /// Runs the first statement of a transaction. If the connection breaks, begins the transaction on another one.
    func opening<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
      guard let command = opening else { return try body() }
      do throws(DatabaseError) { return try body() } catch {
        guard error.isUnavailable, opening != nil else { throw error }
        try connect()
        try open(command)
        return try body()
      }
    }

    /// Ends the open transaction, if any, without its changes.
    func rollback() {
      guard !isIdle else { return }
      // Once a change has failed, the server skips what was sent with it.
      try? flush()
      guard settings.prepares else {
        _ = try? execute("ROLLBACK")
        return
      }
      do throws(DatabaseError) {
        let handle = try connected("ROLLBACK")
        guard PQenterPipelineMode(handle) == 1 else { throw broken("ROLLBACK") }
        try send(nil, "ROLLBACK", [], [])
        guard PQpipelineSync(handle) == 1 else { throw broken("ROLLBACK") }
        isEnding = true
      } catch { disconnect() }
    }

    /// Reads the result of the ROLLBACK that was sent, if any.
    private func finishRollback() throws(DatabaseError) {
      guard isEnding else { return }
      isEnding = false
      try readResults(of: ["ROLLBACK"]) { PQclear($0) }
    }

    /// A name for a prepared statement of this session.
    func newName() -> String {
      statementCount += 1
      return "s\(statementCount)"
    }

    /// Prepares a statement on the server: https://www.postgresql.org/docs/15/sql-prepare.html
    func prepare(_ name: String, _ sql: String, _ types: [Oid]) throws(DatabaseError) {
      try flush()
      let handle = try connected(sql)
      guard PQsendPrepare(handle, name, sql, Int32(types.count), types) == 1 else {
        throw broken(sql)
      }
      ServerTraffic.trips.add(1, ordering: .relaxed)
      PQclear(try result(sql))
    }

    /// Runs a prepared statement, or with `name` nil the text itself, after the queued changes. All rows come at once, in
    /// binary format. The caller clears the result.
    func run(
      _ name: String?, _ sql: String, _ types: [Oid], _ values: [PostgreSQLValue]
    ) throws(DatabaseError) -> OpaquePointer {
      try send(name, sql, types, values)
      let result: OpaquePointer
      if queued.isEmpty {
        ServerTraffic.trips.add(1, ordering: .relaxed)
        result = try self.result(sql)
      } else if let last = try settle(and: sql) {
        result = last
      } else {
        throw broken(sql)
      }
      changes = Self.changes(in: result)
      if !isSelect(result) {
        settledChanges += changes
        sentChanges += 1
      }
      return result
    }

    /// Sends a change without waiting for its result. Call this in a transaction.
    func queue(
      _ name: String?, _ sql: String, _ types: [Oid], _ values: [PostgreSQLValue]
    ) throws(DatabaseError) {
      let handle = try connected(sql)
      if queued.isEmpty, PQenterPipelineMode(handle) != 1 { throw broken(sql) }
      opening = nil
      queued.append(sql)
      sentChanges += 1
      try send(name, sql, types, values)
      if queued.count >= Self.mostQueued { try flush() }
    }

    /// Waits for the results of the queued changes. Throws the first of their errors.
    func flush() throws(DatabaseError) {
      if !queued.isEmpty { _ = try settle(and: nil) }
    }

    private func send(
      _ name: String?, _ sql: String, _ types: [Oid], _ values: [PostgreSQLValue]
    ) throws(DatabaseError) {
      let handle = try connected(sql)
      let sent = PostgreSQLValue.withPointers(values) { pointers, lengths, formats in
        if let name {
          PQsendQueryPrepared(
            handle, name, Int32(values.count), pointers, lengths, formats, 1)
        } else {
          PQsendQueryParams(
            handle, sql, Int32(values.count), types, pointers, lengths, formats, 1)
        }
      }
      guard sent == 1 else { throw broken(sql) }
    }

    /// Reads the results of the queued changes, and of one more statement that was sent after them.
    ///
    /// After an error, the server skips what was sent after it.
    private func settle(and last: String?) throws(DatabaseError) -> OpaquePointer? {
      let handle = try connected(last ?? queued[0])
      guard PQpipelineSync(handle) == 1 else { throw broken("the queued changes") }
      ServerTraffic.trips.add(1, ordering: .relaxed)
      let texts = queued + (last.map { [$0] } ?? [])
      var number = 0
      var failure: DatabaseError?
      var result: OpaquePointer?
      do throws(DatabaseError) {
        try readResults(of: texts) { found in
          if failure == nil { failure = error(in: found, texts[number]) }
          number += 1
          if number > queued.count {
            result = found
          } else {
            if failure == nil { settledChanges += Self.changes(in: found) }
            PQclear(found)
          }
        }
        queued = []
        opening = nil
        if let failure { throw failure }
      } catch {
        if let result { PQclear(result) }
        throw error
      }
      return result
    }

    /// Calls the body with the result of each statement of a pipeline, and leaves pipeline mode.
    private func readResults(
      of texts: [String], _ body: (OpaquePointer) -> Void
    ) throws(DatabaseError) {
      for text in texts {
        guard let found = try next(text) else { throw broken(text) }
        body(found)
        // Each statement's results end with a null pointer.
        guard try next(text) == nil else { throw broken(text) }
      }
      guard let end = try next("the end of the queue") else { throw broken("the queue") }
      PQclear(end)
      guard PQexitPipelineMode(handle) == 1 else { throw broken("the end of the queue") }
    }

    private static func changes(in result: OpaquePointer) -> Int {
      PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    private func isSelect(_ result: OpaquePointer) -> Bool {
      strncmp(PQcmdStatus(result), "SELECT", 6) == 0
    }

    /// Connects if necessary, and listens to a channel. Does nothing behind a transaction pooler.
    func listen(to channel: String) throws(DatabaseError) {
      try ensureConnected()
      if settings.prepares { try execute("LISTEN \(channel)") }
    }

    /// Waits for a notification of a channel that this session listens to. Returns whether one came in time.
    func waitForNotification(within time: Duration) throws(DatabaseError) -> Bool {
      let handle = try connected("LISTEN")
      let end = ContinuousClock.now + time
      while true {
        guard PQconsumeInput(handle) == 1 else { throw broken("LISTEN") }
        var found = false
        while let notification = PQnotifies(handle) {
          PQfreemem(notification)
          found = true
        }
        if found { return true }
        guard ready(to: POLLIN, by: end) else { return false }
      }
    }

    // MARK: Waiting

    private func connected(_ context: String) throws(DatabaseError) -> OpaquePointer {
      try finishRollback()
      guard let handle, PQstatus(handle) == CONNECTION_OK else {
        throw .unavailable("the connection to the database is broken", context)
      }
      return handle
    }

    /// The only result of a statement. Throws its error.
    private func result(_ sql: String) throws(DatabaseError) -> OpaquePointer {
      guard let first = try next(sql) else { throw broken(sql) }
      do throws(DatabaseError) {
        while let further = try next(sql) { PQclear(further) }
        if let error = error(in: first, sql) { throw error }
      } catch {
        PQclear(first)
        throw error
      }
      return first
    }

    /// The next result of what was sent; nil at the end. Asks the server to stop if `shouldStop` says so, and gives up
    /// the connection if the server does not answer.
    private func next(_ sql: String) throws(DatabaseError) -> OpaquePointer? {
      guard let handle else { throw broken(sql) }
      // The server ends a statement by itself at `statement_timeout`.
      let end = ContinuousClock.now + settings.statementTime + settings.graceTime
      var isCancelled = false
      while true {
        guard PQconsumeInput(handle) == 1 else { throw broken(sql) }
        if PQisBusy(handle) == 0 { break }
        let slice = min(end, ContinuousClock.now + .milliseconds(20))
        if ready(to: POLLIN, by: shouldStop == nil || isCancelled ? end : slice) { continue }
        if ContinuousClock.now >= end {
          disconnect()
          throw .unavailable("the server has not answered", sql)
        }
        if !isCancelled, shouldStop?() == true {
          isCancelled = true
          cancel()
        }
      }
      return PQgetResult(handle)
    }

    /// https://www.postgresql.org/docs/15/libpq-cancel.html
    private func cancel() {
      guard let handle, let request = PQgetCancel(handle) else { return }
      defer { PQfreeCancel(request) }
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(request, &message, Int32(message.count))
    }

    /// Waits until the socket is ready. Returns false at the deadline.
    private func ready(to events: Int32, by end: ContinuousClock.Instant) -> Bool {
      var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      while true {
        let left = max(.zero, ContinuousClock.now.duration(to: end))
        let found = poll(&socket, 1, Int32(clamping: Int((left / .milliseconds(1)).rounded(.up))))
        if found > 0 { return true }
        if found == 0 || errno != EINTR { return false }
      }
    }

    // MARK: Errors

    private func error(in result: OpaquePointer, _ context: String) -> DatabaseError? {
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return nil
      default:
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map {
          String(cString: $0)
        }
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map {
          String(cString: $0)
        }
        return DatabaseError(
          sqlState: state ?? "08006", message: message ?? Self.line(PQresultErrorMessage(result)),
          context: context)
      }
    }

    /// The error of a call that libpq refused, or of a lost connection.
    private func broken(_ context: String) -> DatabaseError {
      let message = handle.map { Self.line(PQerrorMessage($0)) } ?? "not connected"
      return .unavailable(message, context)
    }

    private static func line(_ text: UnsafePointer<CChar>?) -> String {
      guard let text else { return "" }
      // A line that begins with a tab is a hint.
      return String(cString: text).split(separator: "\n").filter { $0.first != "\t" }
        .joined(separator: " ")
    }
  }
#endif
