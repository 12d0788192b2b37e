import FoundationEssentials

/// The id of an import while it is staged.
package struct ImportID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The destination of a complete staged tree.
package enum ImportTarget: Sendable, Equatable {
  /// It replaces everything in the inventory.
  case inventory
  /// Its top becomes a new row at the end of a list.
  case end(of: ListReference)
}

/// The numbers of rows that a transfer created and changed.
package struct TransferCounts: Sendable, Equatable {
  package var created: Int
  package var updated: Int

  package init(created: Int = 0, updated: Int = 0) {
    self.created = created
    self.updated = updated
  }
}

/// A conflict of an imported line with existing rows, or with earlier lines.
package struct LineConflict: Sendable, Equatable {
  package enum Reason: String, Sendable {
    /// Another line, or a row that the caller may not see, has the id.
    case idTaken = "id_taken"
    /// A row of another kind has the id.
    case otherKind = "other_kind"
    /// The list with the id is the contents of an item, and the line has it in a list or another item, or the other way
    /// round. Or it is the root list.
    case elsewhere
    /// A row in the trash has the id.
    case inTrash = "in_trash"
    /// The parent is neither an existing list (for contents, item) nor one from an earlier line.
    case noParent = "no_parent"
    /// The item has another contents list.
    case otherContents = "other_contents"
    /// Only the first record may be a list without a parent.
    case secondTop = "second_top"
    /// The list accepts another kind of item.
    case kindMismatch = "kind_mismatch"
    /// The list would be below the lowest permitted level, or a new item's location in a table has too many lists.
    case tooDeep = "too_deep"
    /// An earlier line names the same item.
    case repeated
    /// A list that the item's location names is one of several with this title.
    case ambiguousLocation = "ambiguous_location"
    /// The item would have more than `Limits.photosOfItem` photos.
    case tooManyPhotos = "too_many_photos"
  }

  /// How a line of a table finds its item.
  package enum Match: Sendable { case id, reference, serialNumber }

  package var line: Int
  package var id: RowID?
  package var reason: Reason
  /// For `repeated`: how the line found the item.
  package var match: Match

  package init(line: Int, id: RowID?, reason: Reason, match: Match = .id) {
    self.line = line
    self.id = id
    self.reason = reason
    self.match = match
  }
}
