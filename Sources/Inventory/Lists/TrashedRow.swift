/// What was deleted from a list, with all below it, and can be put back.
package struct TrashedRow: Sendable, Equatable {
  package let id: RowID
  /// Nil for a list.
  package var kind: ItemKind?
  package var title: String
  /// The list that it stood in; nil once that is gone for good.
  package var listID: ListID?
  /// Where it stood there.
  package var index: RowIndex
  /// That of the deletion.
  package var revision: Revision
  package var deletedAt: Timestamp
  package var deletedBy: String

  package init(
    id: RowID, kind: ItemKind?, title: String, listID: ListID?, index: RowIndex,
    revision: Revision, deletedAt: Timestamp, deletedBy: String
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.listID = listID
    self.index = index
    self.revision = revision
    self.deletedAt = deletedAt
    self.deletedBy = deletedBy
  }
}

/// Some of the trash.
package struct PageOfTrash: Sendable, Equatable {
  /// Of all that the caller may see there.
  package var count: Int
  /// The place of the page's first row among them.
  package var first: Int
  package var rows: [TrashedRow]

  package init(count: Int, first: Int, rows: [TrashedRow]) {
    self.count = count
    self.first = first
    self.rows = rows
  }
}
