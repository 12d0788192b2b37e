import Inventory
import JSON

/// Writes the part of an inventory, or of a list and its sublists, that a caller sees to a spool.
package enum Export {
  /// - Parameters:
  ///   - token: the caller's, which can take only a share of the spools.
  ///   - progress: called with the number of lists, items and photos written so far.
  package static func spool(
    _ list: ListReference, from snapshot: any Snapshot, in spools: SpoolRoom,
    for token: TokenID? = nil, progress: (Int) -> Void = { _ in }
  ) throws(InventoryError) -> Spool {
    var output = try SpoolWriter(in: spools, for: token)
    var writer = JSONWriter(capacity: 4096)
    var (lists, items, photos) = (0, 0, 0)
    func endLine(
      _ writer: inout JSONWriter, _ output: inout SpoolWriter
    ) throws(InventoryError) {
      try writer.withBytes { (bytes) throws(InventoryError) in try output.append(bytes) }
      writer.removeAll()
      try Self.lineEnd.withUnsafeBufferPointer { (bytes) throws(InventoryError) in
        try output.append(bytes)
      }
    }
    let top = try snapshot.list(list).id
    writer.transferHeader(top: top)
    try endLine(&writer, &output)
    try snapshot.transfer(of: list) { (record) throws(InventoryError) in
      writer.transferRecord(record)
      try endLine(&writer, &output)
      switch record {
      case .list: lists += 1
      case .item: items += 1
      case .photo(let photo):
        photos += 1
        var (number, size) = (0, 0)
        try snapshot.bytes(of: photo.id) { (bytes) throws(InventoryError) in
          writer.transferPiece(of: photo.id, number, bytes)
          try endLine(&writer, &output)
          number += 1
          size += bytes.count
        }
        guard size == photo.size else {
          throw .storageFailed("photo \(photo.id) has \(size) of its \(photo.size) bytes")
        }
      }
      progress(lists + items + photos)
    }
    writer.transferEnd(lists: lists, items: items, photos: photos)
    try endLine(&writer, &output)
    try output.flush()
    return output.spool
  }

  private static let lineEnd = [UInt8(ascii: "\n")]
}
