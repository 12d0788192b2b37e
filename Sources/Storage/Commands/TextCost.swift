import Inventory
import SQL

/// The bytes of text that one request makes the writer store and the search index read.
struct TextCost {
  /// The text that is added or changed. Changed text counts with its old and its new size.
  private(set) var edited = 0
  /// The unchanged text in rows that are written again.
  private(set) var kept = 0

  /// Counts an item that is created or gets new details.
  mutating func count(from old: ItemDetails?, to new: ItemDetails) {
    if let old, Self.text(of: old) == Self.text(of: new) {
      kept += new.textSize
    } else {
      edited += (old?.textSize ?? 0) + new.textSize
    }
  }

  /// Counts the text of staged rows, which are written again when they are put in place.
  mutating func count(kept bytes: Int) { kept += bytes }

  /// Counts rows that are written again, even if their text does not change.
  ///
  /// - Throws: `tooMuchAtOnce` as soon as the rows read so far exceed a limit.
  mutating func count(_ rows: some Sequence<RowKey>, in db: Connection) throws(StorageError) {
    for row in rows {
      kept +=
        try db.sql(
          """
          SELECT coalesce(length(CAST(notes AS BLOB)), 0) + coalesce(length(CAST(fields AS BLOB)), 0)
            + coalesce(length(CAST(tags AS BLOB)), 0) FROM row WHERE key = ?1
          """
        ).bind(row).one { $0.int(0) } ?? 0
      try requireRoom()
    }
  }

  /// - Parameter excess: the limit of edited text, and the reason in the error.
  /// - Throws: `tooMuchAtOnce` if the edited text exceeds that limit, or the kept text `Limits.textKeptAtOnce`.
  func requireRoom(_ excess: Excess = .textEdited) throws(StorageError) {
    guard edited <= excess.limit else { throw .refused(.tooMuchAtOnce(excess)) }
    guard kept <= Limits.textKeptAtOnce else { throw .refused(.tooMuchAtOnce(.textKept)) }
  }

  /// The details without value and quantity, whose edits leave the texts as they are.
  private static func text(of details: ItemDetails) -> ItemDetails {
    var text = details
    text.value = nil
    text.quantity = 1
    return text
  }
}
