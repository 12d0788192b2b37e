import Inventory
import SQLite
import Threads

/// Reads photos' bytes on a thread of its own: they are seldom in memory, and an event loop must not wait for a disk.
///
/// Its connection has a small cache, so that photos do not displace data that is read more often. Each read is short
/// and has its own transaction, because pieces never change.
final class PhotoReader: Sendable {
  private typealias Completion = @Sendable (Result<[UInt8], InventoryError>) -> Void
  private struct Job: Sendable {
    let photo: PhotoID
    let bytes: Range<Int>
    let caller: Caller
    let completion: Completion
  }

  private let queue: WorkQueue<TokenID?, Job>
  private let thread: WorkerThread

  /// The maximum number of waiting reads. Each download waits for one at a time.
  private static let capacity = 16_384

  init(file: StoreFile, onStorageFailure: @escaping @Sendable (StorageFailure) -> Void)
    throws(StoreOpeningError)
  {
    let queue = WorkQueue<TokenID?, Job>(capacity: Self.capacity)
    self.queue = queue
    // Opened now, because later no descriptor may be left for it.
    let connection = Handover(try file.openReader(cacheSize: 256))
    thread = try WorkerThread(inStore: .normal) {
      guard let db = connection.take() else { return }
      while let job = queue.pop() {
        let result: Result<[UInt8], InventoryError>
        do throws(InventoryError) {
          result = .success(try Self.read(job, db))
        } catch {
          if let failure = error.storageFailure { onStorageFailure(failure) }
          result = .failure(error)
        }
        job.completion(result)
      }
    }
  }

  func read(
    _ photo: PhotoID, _ bytes: Range<Int>, for caller: Caller,
    _ completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void
  ) {
    do throws(QueueRefusal) {
      try queue.push(
        Job(photo: photo, bytes: bytes, caller: caller, completion: completion), for: caller.token)
    } catch {
      completion(.failure(error == .full ? .overloaded : .shuttingDown))
    }
  }

  /// Finishes waiting reads, and ends the thread.
  func close() {
    queue.close()
    thread.join()
  }

  private static func read(_ job: Job, _ db: Connection) throws(InventoryError) -> [UInt8] {
    do throws(StorageError) {
      return try bytes(job, db)
    } catch { throw error.inventoryError }
  }

  private static func bytes(_ job: Job, _ db: Connection) throws(StorageError) -> [UInt8] {
    let start = job.bytes.lowerBound % PhotoPiece.size
    let access = try Access(job.caller, in: db)
    let found = try db.sql(
      """
      SELECT item, bytes FROM photo JOIN photo_piece ON photo = key
      WHERE inventory = ?1 AND id = ?2 AND state = 1 AND number = ?3
      """
    ).bind(access.inventory).bind(job.photo).bind(job.bytes.lowerBound / PhotoPiece.size)
      .one { row in
        let bytes = row.withBytes(1) { piece in
          let end = min(piece.count, start + job.bytes.count)
          return start < end ? [UInt8](piece[start..<end]) : []
        }
        return (item: row.key(0) as RowKey, bytes: bytes)
      }
    guard let (item, bytes) = found, !bytes.isEmpty, try access.visibility(of: item) == .live else {
      throw .refused(.notFound(.photo))
    }
    return bytes
  }
}
