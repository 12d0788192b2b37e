import FoundationEssentials

/// What every identifier here is: a UUID (RFC 9562), read in either letter case, written in lower case.
package protocol Identifier: Hashable, Sendable, CustomStringConvertible {
  var uuid: UUID { get }
  init(_ uuid: UUID)
}

extension Identifier {
  /// Reads the 36-character hyphenated form; nil for anything else.
  package init?(text: String) {
    // Foundation's parser scans numbers: it takes white space for a digit.
    let isHyphenated = text.utf8.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default:
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      }
    }
    guard text.utf8.count == 36, isHyphenated, let uuid = UUID(uuidString: text) else {
      return nil
    }
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

/// The list that a request names: by id, or as `root`, whatever the caller's root is.
package enum ListReference: Sendable, Hashable {
  case root
  case id(ListID)
}
