import Inventory
import SQL

/// The text that the search index lacks, as far as the writer knows, and when to index more of it.
struct IndexLag {
  /// The approximate size of the text, in bytes.
  private(set) var text = 0
  /// Each caller's approximate share of the text, in bytes.
  private var shares: [TokenID?: Int] = [:]
  /// The earliest time of the index's next step.
  var due = ContinuousClock.now
  /// How long a few words may stay unindexed.
  private static let pause: Duration = .seconds(1)

  /// If the index is far behind, a group ends at this many bytes of changed text.
  static let groupText = 32 << 10

  /// Whether each commit must index more text than it changes.
  var isFarBehind: Bool { text >= 2 * SearchIndex.textBehind }

  /// Whether a write may run. If much text is unindexed, long texts wait: those of the callers who have written much of
  /// it. If twice as much is unindexed, those of all callers wait.
  func admits(_ write: PendingWrite) -> Bool {
    guard write.mayHaveLongText, text >= SearchIndex.textBehind else { return true }
    return !isFarBehind && shares[write.turn.caller, default: 0] < SearchIndex.textBehind / 4
  }

  /// Notes how much text a caller's write has changed, in bytes. Up to `limit` it does not count: its commit indexes it.
  mutating func note(_ changed: Int, of caller: TokenID?, atOnce limit: Int) {
    if changed > limit { shares[caller, default: 0] += changed }
  }

  /// Indexes part of the text before a commit, or leaves a few words to a later step.
  ///
  /// - Parameters:
  ///   - changed: the text that the group has changed, in bytes.
  ///   - limit: the text to index, in bytes. If the index is far behind, `2 * groupText` bytes are indexed instead. A
  ///     group that has changed less text than `limit` may leave the indexing to a later step.
  mutating func follow(
    _ changed: Int, atOnce limit: Int, in db: Connection
  ) throws(StorageError) {
    // With PostgreSQL, counting the rows would cost each commit one more query. Housekeeping counts the text that other
    // processes leave unindexed.
    let rows =
      db.engine == .sqlite ? try SearchIndex.rowsBehind(in: db) : changed + text > 0 ? 1 : 0
    guard rows > 0 else { return }
    if changed < limit, text < SearchIndex.textOfStep, rows < SearchIndex.rowsLeft {
      if text == 0 { due = .now + Self.pause }
      text += changed + 1
    } else {
      try reduce(by: isFarBehind ? 2 * Self.groupText : limit, in: db)
    }
  }

  /// Indexes at most this many bytes of text. With `takesOne`, the first row may be longer.
  mutating func reduce(
    by limit: Int, takesOne: Bool = false, in db: Connection
  ) throws(StorageError) {
    let step = try SearchIndex.catchUp(in: db, atMost: limit, takesOne: takesOne)
    text = step.left
    guard step.taken > 0 else { return }
    // It is not known whose text was indexed.
    let all = step.taken + step.left
    shares = shares.mapValues { min($0, all) * step.left / all }.filter { $0.value > 0 }
  }

  /// Sets the size of the unindexed text to zero, so that no indexing step is due and no write waits. The next commit
  /// or step of housekeeping counts the text again.
  mutating func forget() { (text, shares) = (0, [:]) }
}
