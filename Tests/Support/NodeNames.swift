import FoundationEssentials
import Inventory

/// The ids behind the numbers that a history calls lists and items by.
package struct NodeNames: Sendable {
  private let root: ListID
  package init(root: ListID) { self.root = root }

  package func row(_ number: Int) -> RowID {
    guard number != 0 else { return RowID(root) }
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    return RowID(
      UUID(
        uuid: (
          1, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
        )))
  }

  package func list(_ number: Int) -> ListID { ListID(row(number)) }
  package func photo(_ number: Int) -> PhotoID { PhotoID(row(number).uuid) }
  package func item(_ number: Int) -> ItemID { ItemID(row(number)) }

  package func upload(_ number: Int) -> ImportID { ImportID(row(number).uuid) }

  package func navigator(_ number: Int) -> NavigatorID { NavigatorID(row(number).uuid) }

  /// The root list goes by its word.
  package func reference(_ number: Int) -> ListReference { number == 0 ? .root : .id(list(number)) }

  package func number(_ photo: PhotoID) -> Int { number(RowID(photo.uuid)) }

  package func number(_ row: RowID) -> Int {
    guard row != RowID(root) else { return 0 }
    let bytes = row.uuid.uuid
    return [bytes.11, bytes.12, bytes.13, bytes.14, bytes.15].reduce(0) { $0 << 8 | Int($1) }
  }
}
