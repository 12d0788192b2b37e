import FoundationEssentials

/// What every identifier here is: a UUID (RFC 9562), read in either letter case, written in lower case.
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

/// Names an isolated tree with exactly one root list.
package struct InventoryID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// Names a list, also when it is seen as a row of its parent.
package struct ListID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package init(_ row: RowID) { uuid = row.uuid }
}

/// Names an item, also when it is seen as a row of its list.
package struct ItemID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package init(_ row: RowID) { uuid = row.uuid }
}

/// Names whatever stands in a list: lists and items share one space of ids in an inventory.
package struct RowID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package init(_ list: ListID) { uuid = list.uuid }
  package init(_ item: ItemID) { uuid = item.uuid }
}

/// Names a photo of an item.
package struct PhotoID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// Names the bytes of a photo while they arrive; nobody outside of the server sees it.
package struct UploadID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The list that a request names: by id, or as `root`, whatever the caller's root is.
package enum ListReference: Sendable, Hashable {
  case root
  case id(ListID)
}
