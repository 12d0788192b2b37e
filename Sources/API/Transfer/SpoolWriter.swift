import Glibc
import Inventory
import JSON

/// Writes lines to a spool in pieces, until the client has disconnected.
struct SpoolWriter: ~Copyable {
  let spool: Spool
  private let requester: Requester
  private var pending: [UInt8] = []
  private var json = JSONWriter(capacity: 4096)

  private static let piece = 64 << 10

  init(
    in room: SpoolRoom, for caller: Caller?, _ requester: Requester = Requester()
  ) throws(InventoryError) {
    self.requester = requester
    do throws(Spool.Failure) { spool = try Spool(in: room, for: caller) } catch {
      throw error.inventoryError
    }
  }

  /// Appends a line with the JSON that `write` writes.
  mutating func line(_ write: (inout JSONWriter) -> Void) throws(InventoryError) {
    json.removeAll()
    write(&json)
    json.withBytes { pending.append(contentsOf: $0) }
    pending.append(UInt8(ascii: "\n"))
    if pending.count >= Self.piece { try flush() }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(InventoryError) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.piece { try flush() }
  }

  /// Throws `deadlineExceeded` if the client has disconnected.
  mutating func flush() throws(InventoryError) {
    guard !requester.isGone() else { throw .deadlineExceeded }
    do throws(Spool.Failure) {
      try pending.withUnsafeBufferPointer { (bytes) throws(Spool.Failure) in
        try spool.append(bytes)
      }
    } catch { throw error.inventoryError }
    pending.removeAll(keepingCapacity: true)
  }
}

extension Spool.Failure {
  var inventoryError: InventoryError {
    switch self {
    case .crowded: .overloaded
    case _ where isFull: .storageFull
    case .system(let code) where code == EMFILE || code == ENFILE:
      .outOfDescriptors("a file for a transfer: \(self)")
    case .system(let code): .storageFailed("a file for a transfer: errno \(code)")
    }
  }
}
