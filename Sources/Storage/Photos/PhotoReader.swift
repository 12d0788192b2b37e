import FoundationEssentials
import Inventory
import SQL
import Threads

/// Reads photos' bytes on a thread of its own: they are seldom in memory, and an event loop must not wait for a disk.
///
/// Its connection has a small cache, so that photos do not displace data that is read more often. Each read is short
/// and has its own transaction, because pieces never change.
final class PhotoReader: Sendable {
  private let queue: WorkQueue<TokenID?, @Sendable (Connection) -> Void>
  private let thread: WorkerThread
  private let onStorageFailure: @Sendable (StorageFailure) -> Void
  private let now: @Sendable () -> Date

  /// The maximum number of waiting reads of one caller. Each download waits for one read at a time.
  private static let capacity = 16_384

  init(
    medium: any StoreMedium, _ configuration: DatabaseStore.Configuration
  ) throws(StoreOpeningError) {
    let queue = WorkQueue<TokenID?, @Sendable (Connection) -> Void>(capacity: Self.capacity)
    self.queue = queue
    onStorageFailure = configuration.onStorageFailure
    now = configuration.now
    // Opened now, because later no descriptor may be left for it.
    let db = try medium.openReader(cacheSize: 256)
    thread = try WorkerThread(inStore: .normal, using: db) { db in
      while let read = queue.pop() { read(db) }
    }
  }

  func read(
    _ photo: PhotoID, addedBy revision: Revision?, _ rendition: RenditionSize?,
    _ bytes: Range<Int>, for caller: Caller,
    _ completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void
  ) {
    do throws(InventoryError) {
      try queue.push(
        { [onStorageFailure, now] db in
          let result = Result { () throws(InventoryError) in
            try db.takeSnapshot(for: caller, now: Timestamp(now()))
            defer { db.rollback() }
            return try Self.read(photo, addedBy: revision, rendition, bytes, for: caller, in: db)
          }
          if case .failure(let error) = result, let failure = error.storageFailure {
            onStorageFailure(failure)
          }
          completion(result)
        }, for: caller.token)
    } catch { completion(.failure(error)) }
  }

  /// Finishes waiting reads, and ends the thread.
  func close() {
    queue.close()
    thread.join()
  }

  private static func read(
    _ photo: PhotoID, addedBy revision: Revision?, _ rendition: RenditionSize?,
    _ range: Range<Int>, for caller: Caller,
    in db: Connection
  ) throws(InventoryError) -> [UInt8] {
    try DatabaseSnapshot(caller, in: db).reading { (access) throws(StorageError) in
      let start = rendition == nil ? range.lowerBound % PhotoPiece.size : range.lowerBound
      let found = try db.sql(
        rendition == nil
          ? """
          SELECT item, bytes FROM photo JOIN photo_piece ON photo = key
          WHERE inventory = ?1 AND id = ?2 AND state = 1 AND number = ?3
            AND added = coalesce(?4, added)
          """
          : """
          SELECT item, bytes FROM photo JOIN photo_rendition AS rendition ON photo = key
          WHERE inventory = ?1 AND id = ?2 AND state = 1 AND rendition.size = ?3
            AND added = coalesce(?4, added)
          """
      ).bind(access.inventory).bind(photo)
        .bind(rendition?.rawValue ?? range.lowerBound / PhotoPiece.size)
        .bind(revision.map { $0.number }).one { row in
          let bytes = row.withBytes(1) { piece in
            let end = min(piece.count, start + range.count)
            return start < end ? [UInt8](piece[start..<end]) : []
          }
          return (item: row.key(0) as RowKey, bytes: bytes)
        }
      guard let (item, bytes) = found, !bytes.isEmpty,
        try access.visibility(of: item) == .live
      else { throw .refused(.notFound(.photo)) }
      return bytes
    }
  }
}
