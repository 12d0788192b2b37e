import Inventory
import JSON

/// Writes lines into a spool, a piece at a time.
struct SpoolWriter: ~Copyable {
  let spool: Spool
  private var pending: [UInt8] = []

  private static let piece = 64 << 10

  init(in folder: String) throws(InventoryError) {
    do throws(Spool.Failure) { spool = try Spool(in: folder) } catch {
      throw error.inventoryError
    }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(InventoryError) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.piece { try flush() }
  }

  mutating func flush() throws(InventoryError) {
    let code: Spool.Failure? = pending.withUnsafeBytes { bytes in
      do throws(Spool.Failure) {
        try spool.append(bytes)
        return nil
      } catch { return error }
    }
    if let code { throw code.inventoryError }
    pending.removeAll(keepingCapacity: true)
  }
}

extension Spool.Failure {
  var inventoryError: InventoryError {
    isFull ? .storageFull : .storageFailed("a file for a transfer: errno \(code)")
  }
}
