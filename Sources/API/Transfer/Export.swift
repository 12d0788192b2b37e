import Inventory
import JSON

/// Writes the part of an inventory, or of a list and its sublists, that a caller sees to a spool.
package enum Export {
  /// - Parameters:
  ///   - caller: can take only a share of the spools.
  ///   - progress: called with the number of lists, items and photos written so far.
  package static func spool(
    _ list: ListReference, from snapshot: any Snapshot, in spools: SpoolRoom,
    for caller: Caller? = nil, progress: (Int) -> Void = { _ in }
  ) throws(InventoryError) -> Spool {
    var output = try SpoolWriter(in: spools, for: caller)
    var (lists, items, photos) = (0, 0, 0)
    let top = try snapshot.list(list).id
    let appearance = try snapshot.appearance().appearance
    try output.line { $0.transferHeader(top: top, appearance) }
    try snapshot.transfer(of: list) { (record) throws(InventoryError) in
      try output.line { $0.transferRecord(record) }
      switch record {
      case .list: lists += 1
      case .item: items += 1
      case .photo(let photo):
        photos += 1
        var (number, size) = (0, 0)
        try snapshot.bytes(of: photo.id) { (bytes) throws(InventoryError) in
          try output.line { $0.transferPiece(of: photo.id, number, bytes) }
          number += 1
          size += bytes.count
        }
        guard size == photo.size else {
          throw .storageFailed("photo \(photo.id) has \(size) of its \(photo.size) bytes")
        }
      }
      progress(lists + items + photos)
    }
    try output.line { $0.transferEnd(lists: lists, items: items, photos: photos) }
    try output.flush()
    return output.spool
  }
}
