import CSQLite

extension Connection {
  /// When SQLite takes the locks: https://www.sqlite.org/lang_transaction.html
  ///
  /// With PostgreSQL, a deferred transaction is REPEATABLE READ, READ ONLY. An immediate one is READ COMMITTED:
  /// https://www.postgresql.org/docs/15/transaction-iso.html
  package enum TransactionKind: Sendable {
    /// Takes the locks with the first read, and the write lock with the first write.
    case deferred
    /// Takes the write lock at once.
    case immediate
  }

  package func begin(_ kind: TransactionKind) throws(DatabaseError) {
    #if PostgreSQL
      if let remote {
        let isolation = kind == .deferred ? "REPEATABLE READ READ ONLY" : "READ COMMITTED"
        try remote.begin("BEGIN ISOLATION LEVEL \(isolation)")
        return
      }
    #endif
    switch kind {
    case .deferred: try statement("BEGIN DEFERRED").run()
    case .immediate: try statement("BEGIN IMMEDIATE").run()
    }
  }

  /// Commits. Throws `isRolledBack` if SQLite has already rolled the transaction back.
  ///
  /// After any other error the transaction may still be open: `isAutocommit` is false then.
  package func commit() throws(DatabaseError) {
    guard !isAutocommit else {
      throw DatabaseError(extendedCode: SQLITE_ABORT | (2 << 8), context: "COMMIT")
    }
    #if PostgreSQL
      if let remote {
        // After an error in the transaction, the server answers COMMIT with ROLLBACK.
        guard try remote.execute("COMMIT") == ["COMMIT"] else {
          throw DatabaseError(extendedCode: SQLITE_ABORT | (2 << 8), context: "COMMIT")
        }
        return
      }
    #endif
    try statement("COMMIT").run()
  }

  /// Runs a last change and commits. With PostgreSQL, then also notifies the sessions that listen to a channel, all in
  /// one exchange with the server. After `isUnavailable` the commit may have succeeded.
  package func commit(with change: String, notifying channel: String) throws(DatabaseError) {
    #if PostgreSQL
      if let remote {
        let tags = try remote.execute("\(change); COMMIT; NOTIFY \(channel)", upTo: "COMMIT")
        guard tags.contains("COMMIT") else {
          throw DatabaseError(extendedCode: SQLITE_ABORT | (2 << 8), context: "COMMIT")
        }
        return
      }
    #endif
    try execute(change)
    try commit()
  }

  /// Rolls back the open transaction, if any. No transaction is open afterwards.
  package func rollback() {
    // SQLite may have rolled back by itself.
    defer { memory?.forgetRolledBack() }
    guard !isAutocommit else { return }
    // An error here also ends the transaction: https://www.sqlite.org/lang_transaction.html
    #if PostgreSQL
      if let remote { return remote.rollback() }
    #endif
    try? statement("ROLLBACK").run()
  }

  /// Runs the body in a transaction. Commits if the body returns, and rolls back if the body or the commit throws.
  package func transaction<R, E: DatabaseErrorWrapping>(
    _ kind: TransactionKind, _ body: () throws(E) -> R
  ) throws(E) -> R {
    do throws(DatabaseError) { try begin(kind) } catch { throw E(database: error) }
    let result: R
    do throws(E) {
      result = try body()
    } catch {
      rollback()
      throw error
    }
    do throws(DatabaseError) {
      try commit()
    } catch {
      rollback()
      throw E(database: error)
    }
    return result
  }

  /// Runs the body in a savepoint of the open transaction. If the body throws, only the body's changes are undone.
  ///
  /// Throws `isMisuse` without an open transaction, because the savepoint would commit on its own. Some errors, such as
  /// a full disk, roll back the whole transaction; then `isAutocommit` is true:
  /// https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
  package func savepoint<R, E: DatabaseErrorWrapping>(
    _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard !isAutocommit else {
      throw E(
        database: DatabaseError(
          extendedCode: SQLITE_MISUSE, message: "a savepoint needs an open transaction",
          context: "SAVEPOINT"))
    }
    // Names may repeat: RELEASE and ROLLBACK TO mean the innermost savepoint of that name.
    do throws(DatabaseError) { try statement("SAVEPOINT s").run() } catch {
      throw E(database: error)
    }
    let before = changeMark
    let result: R
    do throws(E) {
      result = try body()
    } catch {
      undoSavepoint()
      if changeMark != before { memory?.forgetRolledBack() }
      throw error
    }
    do throws(DatabaseError) {
      try statement("RELEASE s").run()
      // The savepoint must not seem to have ended well if one of its changes has failed.
      try settle()
    } catch {
      undoSavepoint()
      memory?.forgetRolledBack()
      throw E(database: error)
    }
    return result
  }

  /// A number that differs after a change.
  private var changeMark: Int {
    #if PostgreSQL
      if let remote { return remote.sentChanges }
    #endif
    return totalChanges
  }

  /// Waits for the results of changes that were sent to a server. Throws their first error.
  private func settle() throws(DatabaseError) {
    #if PostgreSQL
      try remote?.flush()
    #endif
  }

  private func undoSavepoint() {
    guard !isAutocommit else { return }
    do throws(DatabaseError) {
      try? settle()
      try statement("ROLLBACK TO s").run()
      try statement("RELEASE s").run()
      try settle()
    } catch {
      // Half a savepoint must not be committed with the rest of the transaction.
      rollback()
    }
  }
}
