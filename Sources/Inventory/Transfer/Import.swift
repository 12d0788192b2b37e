import FoundationEssentials

/// Names an import while it is staged.
package struct ImportID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// What becomes of a staged tree when it is whole.
package enum ImportTarget: Sendable, Equatable {
  /// It takes the place of all that the inventory holds.
  case inventory
  /// Its top becomes a new row at the end of a list.
  case end(of: ListReference)
}

/// How many rows a transfer made and changed.
package struct TransferCounts: Sendable, Equatable {
  package var created: Int
  package var updated: Int

  package init(created: Int = 0, updated: Int = 0) {
    self.created = created
    self.updated = updated
  }
}

/// Why a line of what is imported does not fit with what is there, or with the lines before it.
package struct LineConflict: Sendable, Equatable {
  package enum Reason: String, Sendable {
    /// Something else has the id: another line, or what the caller may not see.
    case idTaken = "id_taken"
    /// What has the id is of another kind.
    case otherKind = "other_kind"
    /// What has the id stands in another list.
    case elsewhere
    /// What has the id is in the trash.
    case inTrash = "in_trash"
    /// No list, or for contents no item, that is there or in a line before has the id of its parent.
    case noParent = "no_parent"
    /// The item holds another contents list.
    case otherContents = "other_contents"
    /// Only the first record is a list without a parent.
    case secondTop = "second_top"
    /// Its list takes items of another kind.
    case kindMismatch = "kind_mismatch"
    /// It would stand below the lowest level on which the inventory lets lists stand.
    case tooDeep = "too_deep"
    /// A line before names the same item.
    case repeated
    /// An item has `Limits.photosOfItem` photos at most.
    case tooManyPhotos = "too_many_photos"
  }

  package var line: Int
  package var id: RowID?
  package var reason: Reason

  package init(line: Int, id: RowID?, reason: Reason) {
    self.line = line
    self.id = id
    self.reason = reason
  }
}
