/// A deleted row that can be restored with everything below it.
package struct TrashedRow: Sendable, Equatable {
  package let id: RowID
  /// Nil for a list.
  package var kind: ItemKind?
  package var title: String
  /// The list that it was in; nil if that is purged.
  package var listID: ListID?
  /// Its index there.
  package var index: RowIndex
  /// The revision of the deletion.
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
