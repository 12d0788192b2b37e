import Inventory
import SQL

/// Reads lists with everything below them, in the order of a transfer. It holds only one row at a time, and a place in
/// each list above it.
struct TransferReader {
  let db: Connection

  /// A list above the current row, and how far its rows have been read.
  private struct Level {
    var list: ListRecord
    var steps: [TreeStep]
    var pos: Int64?

    var leaf: Int64 { steps.last?.id ?? list.tree.root }
  }

  /// A list below a row. It is read before the rest of the row's leaf.
  private typealias Below = (key: RowKey, holder: TransferredList.Holder)

  func read(
    _ top: ListRecord, _ visit: (TransferRecord) throws(StorageError) -> Void
  ) throws(StorageError) {
    try visit(.list(top.transferred(in: .nothing)))
    var levels = [try level(top)]
    while var level = levels.popLast() {
      if let below = try readLeaf(&level, visit) {
        levels.append(level)
        let list = try ListRecord.read(below.key, in: db)
        try visit(.list(list.transferred(in: below.holder)))
        levels.append(try self.level(list))
      } else if let next = try level.list.tree.nextLeaf(after: level.steps, in: db) {
        level.steps = next
        level.pos = nil
        levels.append(level)
      }
    }
  }

  private func level(_ list: ListRecord) throws(StorageError) -> Level {
    Level(list: list, steps: try list.tree.descend(to: 0, prefersLeft: false, in: db).steps)
  }

  /// Reads to the end of the leaf (returns nil), or to a row that has others below it.
  private func readLeaf(
    _ level: inout Level, _ visit: (TransferRecord) throws(StorageError) -> Void
  ) throws(StorageError) -> Below? {
    let list = level.list
    var below: Below?
    var pos = level.pos
    let rest = ItemDetails.columnCount
    func read(_ row: Statement) throws(StorageError) -> Bool {
      pos = row.int64(rest + 2)
      guard !row.isList(0) else {
        below = (row.key(rest + 1), .list(list.id))
        return false
      }
      let item = TransferredItem(row, in: list.id)
      try visit(.item(item))
      if row.int64(rest + 5) > 0 {
        try readPhotos(of: row.key(rest + 1), item.id, visit)
      }
      if let contents: RowKey = row.keyOrNil(rest) { below = (contents, .item(item.id)) }
      return below == nil
    }
    let start = level.pos ?? .min
    try list.tree.eachRow(
      of: level.leaf, ItemDetails.columns,
      own: """
        contents, key, pos, created_at, updated_at, photo IS NOT NULL
        FROM row WHERE parent = ?1 AND leaf = ?2 AND pos > ?3 ORDER BY pos
        """,
      arranged: """
        contents, key, placed.pos, created_at, updated_at, photo IS NOT NULL
        FROM placed JOIN row ON row.key = placed.row WHERE placed.pos > ?3 ORDER BY placed.pos
        """,
      in: db, bind: { $0.bind(start) }, read)
    level.pos = pos
    return below
  }

  private func readPhotos(
    of key: RowKey, _ item: ItemID, _ visit: (TransferRecord) throws(StorageError) -> Void
  ) throws(StorageError) {
    for photo in try PhotoRecord.all(of: key, in: db) {
      try visit(
        .photo(
          TransferredPhoto(
            id: photo.id, item: item, image: photo.image, size: photo.size,
            createdAt: photo.createdAt)))
    }
  }
}

extension ListRecord {
  func transferred(in holder: TransferredList.Holder) -> TransferredList {
    TransferredList(
      id: id, holder: holder, details: details, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension TransferredItem {
  fileprivate init(_ row: Statement, in list: ListID) {
    let rest = ItemDetails.columnCount
    let summary = ItemSummary(row, contents: nil, photo: nil)
    self.init(
      id: summary.id, list: list, details: ItemDetails(row, summary),
      createdAt: row.time(rest + 3), updatedAt: row.time(rest + 4))
  }
}

extension DatabaseSnapshot {
  private static let bulkLimit = 1 << 20

  func transfer(
    of list: ListReference, visit: (TransferRecord) throws(InventoryError) -> Void
  ) throws(InventoryError) {
    try reading { (access) throws(StorageError) in
      let top = try access.list(list)
      try TransferReader(db: db).read(top) { (record) throws(StorageError) in
        do throws(InventoryError) { try visit(record) } catch { throw .refused(error) }
      }
    }
  }

  func bytes(
    of photo: PhotoID, visit: ([UInt8]) throws(InventoryError) -> Void
  ) throws(InventoryError) {
    try reading { (access) throws(StorageError) in
      var bulk = 0
      try db.sql(
        """
        SELECT bytes FROM photo JOIN photo_piece ON photo = key
        WHERE inventory = ?1 AND id = ?2 AND state = 1 ORDER BY number
        """
      ).bind(access.inventory).bind(photo).each { (row) throws(StorageError) in
        let bytes = row.bytes(0)
        do throws(InventoryError) { try visit(bytes) } catch { throw .refused(error) }
        bulk += bytes.count
        if bulk >= Self.bulkLimit {
          // Otherwise the cache would grow to its full size with pages that are not read again.
          db.releaseMemory()
          bulk = 0
        }
      }
    }
  }

  func items(
    of list: ListReference, visit: (TransferredItem) throws(InventoryError) -> Void
  ) throws(InventoryError) {
    try reading { (access) throws(StorageError) in
      let list = try access.list(list)
      try list.tree.eachRow(
        ItemDetails.columns,
        own: """
          contents, key, pos, created_at, updated_at
          FROM row WHERE parent = ?1 AND leaf = ?2 ORDER BY pos
          """,
        arranged: """
          contents, key, placed.pos, created_at, updated_at
          FROM placed JOIN row ON row.key = placed.row ORDER BY placed.pos
          """,
        in: db
      ) { (row) throws(StorageError) in
        guard !row.isList(0) else { return }
        let item = TransferredItem(row, in: list.id)
        do throws(InventoryError) { try visit(item) } catch { throw .refused(error) }
      }
    }
  }
}
