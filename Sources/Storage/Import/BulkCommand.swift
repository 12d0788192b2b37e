import Inventory

/// A merge or a table of items, which may be too large for one short write.
struct BulkCommand: Sendable {
  let rows: BulkRows
  let list: ListReference

  init?(_ command: Command) {
    switch command {
    case .merge(let records, let list): (rows, self.list) = (.records(records), list)
    case .upsertItems(let items, let list): (rows, self.list) = (.items(items), list)
    default: return nil
    }
  }
}

/// The rows of a merge, or of a table of items.
enum BulkRows: Sendable {
  case records([NumberedRecord])
  case items([ItemUpsert])

  var count: Int {
    switch self {
    case .records(let records): records.count
    case .items(let items): items.count
    }
  }

  /// Whether the writer makes their change directly.
  ///
  /// - Parameter rows: the maximum number of rows for that.
  func isSmall(atMost rows: Int) -> Bool {
    switch self {
    case .records(let records):
      records.count <= rows && records.reduce(0) { $0 + $1.record.textSize } <= Self.smallText
    case .items(let items):
      // References are looked up in a whole list, and rooms below it.
      items.count <= rows && !items.contains { $0.id == nil && $0.reference != nil }
        && !items.contains { !$0.rooms.isEmpty }
        && items.reduce(0) { $0 + $1.patch.textSize } <= Self.smallText
    }
  }

  private static let smallText = 64 << 10
}

extension TransferRecord {
  /// The approximate bytes of text in it.
  var textSize: Int {
    switch self {
    case .list(let list): list.details.title.utf8.count
    case .item(let item): item.details.textSize
    case .photo: 0
    }
  }
}

extension ItemDetails {
  /// The approximate bytes of text in it.
  var textSize: Int {
    (name?.utf8.count ?? 0) + (notes?.utf8.count ?? 0) + fields.json.utf8.count
      + tags.reduce(0) { $0 + $1.utf8.count }
  }
}

extension ItemPatch {
  /// The approximate bytes of text in it.
  var textSize: Int {
    details.textSize + (fallbackName?.text.utf8.count ?? 0) + (fieldsEdit?.textSize ?? 0)
  }
}
