import FoundationEssentials

/// An identifier: a UUID (RFC 9562), read in either letter case, written in lower case.
package protocol Identifier: Hashable, Sendable, CustomStringConvertible {
  var uuid: UUID { get }
  init(_ uuid: UUID)
}

extension Identifier {
  /// Reads the 36-character hyphenated form; nil for anything else.
  package init?(text: String) {
    guard let uuid = UUID(text: Array(text.utf8)[...]) else { return nil }
    self.init(uuid)
  }

  package var description: String { uuid.uuidString.lowercased() }
}

/// The id of an isolated tree with exactly one root list.
package struct InventoryID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The id of a list, also as a row of its parent.
package struct ListID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package init(_ row: RowID) { uuid = row.uuid }
}

/// The id of an item, also as a row of its list.
package struct ItemID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package init(_ row: RowID) { uuid = row.uuid }
}

/// The id of a row. Lists and items of an inventory share one space of ids.
package struct RowID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package init(_ list: ListID) { uuid = list.uuid }
  package init(_ item: ItemID) { uuid = item.uuid }
}

/// The id of an item's photo.
package struct PhotoID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The id of a photo's bytes while they are uploaded. Clients never see it.
package struct UploadID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The id that an offline client chose for itself.
package struct SyncClientID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The list that a request names: by id, or as the caller's `root`.
package enum ListReference: Sendable, Hashable {
  case root
  case id(ListID)
}
