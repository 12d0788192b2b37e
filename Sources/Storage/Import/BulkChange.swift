import Inventory

/// The short change that a bulk command comes to: what it edits, and new rows that have been staged.
struct BulkChange: Sendable {
  /// What existing rows become; the writer looks at each once more.
  enum Edits: Sendable {
    case records([NumberedRecord], into: ListReference)
    /// What a table with rooms comes to. `revisions` are those of the lists in which rooms were looked up, in the
    /// state that they were looked up in.
    case rooms([NumberedRecord], into: ListReference, revisions: [Int64: Revision])
    /// `revision` is the list's in the state that the rows were looked up in.
    case items([ItemUpsert], in: ListReference, revision: Revision)
  }

  /// New rows of one list, or the new contents list of one item.
  struct Group: Sendable {
    /// The list or item.
    var holder: RowID
    /// The line of the first.
    var line: Int
    /// The staged list that holds them, or is the contents.
    var list: ListID
    var isContents: Bool
    /// In order; of a contents list none.
    var rows: [NewRow] = []
    /// Of the items among them.
    var kinds: Set<ItemKind> = []
    /// On how many levels they have lists.
    var levels = 0
  }

  struct NewRow: Sendable {
    var id: RowID
    /// What it shows; nil where that is to be read.
    var content: Row.Content?
  }

  var edits: Edits
  var groups: [Group] = []
  /// Of new rows, those of new lists included.
  var created = 0
  /// Where the rows are; nil where none are staged.
  var staging: ImportID?
}
