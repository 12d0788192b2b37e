import FoundationEssentials
import Inventory
import SQLite

/// Ids are kept as blobs of their 16 bytes in the order of RFC 9562.
extension Statement {
  @discardableResult
  func bind(_ id: some Identifier) -> Statement {
    withUnsafeBytes(of: id.uuid.uuid) { bind(bytes: $0) }
  }

  @discardableResult
  func bind(_ id: RowID?) -> Statement {
    guard let id else { return bindNull() }
    return bind(id)
  }

  func uuid(_ column: Int) -> UUID {
    withBytes(column) { bytes in
      guard bytes.count == 16 else {
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      }
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }

  func photoOrNil(_ column: Int) -> PhotoID? { isNull(column) ? nil : PhotoID(uuid(column)) }
}
