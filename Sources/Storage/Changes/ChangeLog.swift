import FoundationEssentials
import Inventory
import SQLite

/// The tables of the change log: each change with its operations, by list, and its edits.
struct ChangeLog {
  let db: Connection
  let inventory: InventoryKey

  /// One field of a list or an item, before and after.
  struct Edit {
    let row: RowID
    /// The raw value of an `ItemField` or a `ListField`, `Edit.photos`, or "contents".
    let field: String
    let before: FieldValue
    let after: FieldValue

    /// The fields whose values differ between two readings.
    static func between<Details: NamedFields>(
      _ old: Details, _ new: Details, of row: RowID
    ) -> [Edit] {
      Details.Field.allCases.compactMap { field in
        let (before, after) = (old[field], new[field])
        return before == after
          ? nil : Edit(row: row, field: field.rawValue, before: before, after: after)
      }
    }
  }

  /// The time of the last change in any inventory if it is later than a time, otherwise nil.
  static func latest(in db: Connection, after time: Timestamp) throws(SQLiteError) -> Timestamp? {
    let latest = try db.prepare("SELECT max(at) FROM change").first { $0.int64(0) } ?? 0
    return latest > time.seconds ? Timestamp(seconds: latest) : nil
  }

  /// The time of the last revision of any inventory.
  static func latest(in db: Connection) throws(StorageError) -> Timestamp {
    let latest = try db.sql(
      """
      SELECT max(coalesce((SELECT at FROM change WHERE change.inventory = inventory.key
        ORDER BY revision DESC LIMIT 1), created_at)) FROM inventory
      """
    ).one { $0.time(0) }
    return latest ?? Timestamp(seconds: 0)
  }

  /// The latest time of the last 100 revisions of this inventory. It is later than that of the last one if the clock was
  /// set back.
  func latest() throws(StorageError) -> Timestamp {
    try db.sql(
      """
      SELECT coalesce(max(at), 0)
      FROM (SELECT at FROM change WHERE inventory = ?1 ORDER BY revision DESC LIMIT 100)
      """
    ).bind(inventory).one { $0.time(0) } ?? Timestamp(seconds: 0)
  }

  func append(
    revision: Revision, at: Timestamp, action: String, isUndoable: Bool, size: Int,
    context: WriteContext
  ) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO change (inventory, revision, at, actor, request_id, action, undoable, size, newest)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, (SELECT seq FROM sqlite_sequence WHERE name = 'row'))
      """
    ).bind(inventory).bind(revision.number).bind(at.seconds).bind(context.caller.name)
      .bind(context.requestID).bind(action).bind(isUndoable).bind(size).perform()
  }

  func append(
    _ columns: OperationColumns, to list: RowKey, revision: Revision, sequence: Int
  ) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO operation (inventory, revision, sequence, list, kind, row, source, target, places)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
        -- For a removed row: whether it is a list.
        CASE ?5 WHEN 1 THEN (SELECT kind = 0 FROM row WHERE inventory = ?1 AND id = ?6) ELSE ?8 END,
        ?9)
      """
    ).bind(inventory).bind(revision.number).bind(sequence).bind(list).bind(columns.kind)
      .bind(columns.row).bind(columns.source).bind(columns.target).bind(columns.places).perform()
  }

  func append(_ edit: Edit, revision: Revision) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO edit (inventory, revision, row, field, before, after)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    ).bind(inventory).bind(revision.number).bind(edit.row).bind("\(edit.field)")
      .bind(edit.before).bind(edit.after).perform()
  }

  /// The maximum number of operations in a span; composing more would take too long.
  static let maximumOperations = Activity.maximumSteps
  /// The maximum number of rows in new orders of a span: as many as one of them may have.
  static let maximumPlaces = Limits.rowsReordered

  /// Whether the log has the creation of a list after a revision. That is the list's first operation.
  func isMade(_ list: RowKey, after revision: Revision) throws(StorageError) -> Bool {
    try db.sql(
      """
      SELECT kind = 5 AND source = 0 FROM operation WHERE list = ?1 AND revision > ?2
      ORDER BY revision, sequence LIMIT 1
      """
    ).bind(list).bind(revision.number).one { $0.bool(0) } ?? false
  }

  /// The number of rows of a new order that are read in about the time of one operation.
  private static let placesOfStep = 64

  /// The operations on a list since a revision, oldest first; nil if they are too many.
  ///
  /// - Throws: `boundExceeded` if they take more than `bound` steps.
  func operations(
    on list: RowKey, since: Revision, bound: Int = .max
  ) throws(StorageError) -> [ListOperation]? {
    let limit = min(bound, Self.maximumOperations)
    let placesLimit = min(limit * Self.placesOfStep, Self.maximumPlaces)
    var operations: [ListOperation] = []
    var places = 0
    var isReadable = true
    // The length of a column is known without reading it: https://www.sqlite.org/fileformat2.html#record_format
    try db.sql(
      """
      SELECT kind, row, source, target, CASE WHEN kind = 4 AND length(places) <= ?4 THEN places END,
        iif(kind = 4, coalesce(length(places), 0), 0)
      FROM operation WHERE list = ?1 AND revision > ?2 ORDER BY revision, sequence LIMIT ?3
      """
    ).bind(list).bind(since.number).bind(limit + 1)
      .bind(placesLimit * OperationColumns.bytesOfPlace)
      .eachWhile { row in
        places += row.int(5) / OperationColumns.bytesOfPlace
        guard places <= placesLimit else { return false }
        guard let operation = OperationColumns(row).operation else {
          isReadable = false
          return false
        }
        operations.append(operation)
        return true
      }
    guard isReadable else { throw .broken("list \(list): an operation cannot be read") }
    guard places <= placesLimit, operations.count <= limit else {
      guard limit == Self.maximumOperations else { throw .refused(.boundExceeded) }
      return nil
    }
    return operations
  }
}

/// Maps an operation to columns.
struct OperationColumns {
  var kind: Int64
  var row: RowID?
  var source: Int?
  var target: Int?
  /// The places of a new order; of a row that is inserted or removed, its trash record, if the log needs that.
  var places: [UInt8]?

  /// Whether a row is inserted into a list or removed from it.
  var isArrivalOrDeparture: Bool { kind < 2 }

  init(kind: Int64, row: RowID?, source: Int?, target: Int?, places: [UInt8]?) {
    self.kind = kind
    self.row = row
    self.source = source
    self.target = target
    self.places = places
  }

  /// Reads kind, row, source, target and places from the first columns.
  init(_ row: Statement) {
    self.init(
      kind: row.int64(0), row: row.isNull(1) ? nil : RowID(row.uuid(1)),
      source: row.intOrNil(2), target: row.intOrNil(3), places: row.bytesOrNil(4))
  }

  init(_ operation: ListOperation) {
    switch operation {
    case .insert(let row, let index):
      self.init(kind: 0, row: row, source: nil, target: index, places: nil)
    case .delete(let row, let index):
      self.init(kind: 1, row: row, source: index, target: nil, places: nil)
    case .move(let row, let from, let to):
      self.init(kind: 2, row: row, source: from, target: to, places: nil)
    case .reload(let row, let index):
      self.init(kind: 3, row: row, source: index, target: nil, places: nil)
    case .permute(let order):
      self.init(
        kind: Self.permute, row: nil, source: nil, target: nil, places: Self.bytes(order))
    case .fields(let fields):
      self.init(kind: 5, row: nil, source: Int(fields.rawValue), target: nil, places: nil)
    }
  }

  /// No list has so many rows. A sound log has no such index, and code must not compute with one.
  private static let maximumIndex = 1 << 40

  /// Nil if the columns hold an operation that no write logs.
  var operation: ListOperation? {
    let indices = 0...Self.maximumIndex
    guard indices.contains(source ?? 0), indices.contains(target ?? 0) else { return nil }
    return switch (kind, row, source, target) {
    case (0, let row?, _, let index?): .insert(row, at: index)
    case (1, let row?, let index?, _): .delete(row, at: index)
    case (2, let row?, let from?, let to?): .move(row, from: from, to: to)
    case (3, let row?, let index?, _): .reload(row, at: index)
    case (Self.permute, _, _, _): places.map { .permute(order: Self.order($0)) }
    case (5, _, let bits?, _): .fields(ListFields(rawValue: UInt8(truncatingIfNeeded: bits)))
    default: nil
    }
  }

  static let permute: Int64 = 4
  /// A place is stored as a 32-bit little-endian number.
  static let bytesOfPlace = 4

  private static func bytes(_ order: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(order.count * bytesOfPlace)
    for place in order {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: place >> shift))
      }
    }
    return bytes
  }

  private static func order(_ bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      (0..<(bytes.count / bytesOfPlace)).map { number in
        let place = bytes.loadUnaligned(
          fromByteOffset: number * bytesOfPlace, as: UInt32.self)
        return Int(UInt32(littleEndian: place))
      }
    }
  }
}

extension Statement {
  fileprivate func bind(_ value: FieldValue) -> Statement {
    switch value {
    case .null: bindNull()
    case .integer(let number): bind(number)
    case .text(let text): bind(text)
    }
  }
}

/// The approximate sizes of parts of the log in bytes, as counted by retention.
enum LogSize {
  static func change(_ context: WriteContext) -> Int {
    128 + context.caller.name.utf8.count + context.requestID.utf8.count
  }

  static func operation(_ operation: ListOperation) -> Int {
    if case .permute(let order) = operation { return 64 + 4 * order.count }
    return 64
  }

  static func edit(_ edit: ChangeLog.Edit) -> Int { 64 + size(edit.before) + size(edit.after) }

  private static func size(_ value: FieldValue) -> Int {
    switch value {
    case .null: 0
    case .integer: 8
    case .text(let text): text.utf8.count
    }
  }
}
