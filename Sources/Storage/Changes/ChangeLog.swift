import FoundationEssentials
import Inventory
import SQL

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

  /// The latest time of any change in any inventory, if it is later than `time`; otherwise nil.
  static func latest(in db: Connection, after time: Timestamp) throws(DatabaseError) -> Timestamp? {
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

  /// The latest time of the last 100 revisions of this inventory. It is later than that of the last one if the clock
  /// was set back.
  func latest() throws(StorageError) -> Timestamp {
    try db.sql(
      """
      SELECT coalesce(max(at), 0)
      FROM (SELECT at FROM change WHERE inventory = ?1 ORDER BY revision DESC LIMIT 100)
        AS last
      """
    ).bind(inventory).one { $0.time(0) } ?? Timestamp(seconds: 0)
  }

  func append(
    revision: Revision, at: Timestamp, action: String, isUndoable: Bool, size: Int,
    context: WriteContext
  ) throws(StorageError) {
    try db.sql(
      sqlite: """
        INSERT INTO change (inventory, revision, at, actor, request_id, action, undoable, size, newest)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, (SELECT seq FROM sqlite_sequence WHERE name = 'row'))
        """,
      postgreSQL: """
        INSERT INTO change
          (inventory, revision, at, actor, request_id, action, undoable, size, newest)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, (SELECT last_value FROM row_key_seq))
        """
    ).bind(inventory).bind(revision.number).bind(at.seconds).bind(context.caller.name)
      .bind(context.requestID).bind(action).bind(isUndoable).bind(size).perform()
  }

  /// - Parameters:
  ///   - places: the places of a new order, or the trash record of a row that the operation takes out of the trash or
  ///     puts back there. Nil for other operations.
  ///   - isReturn: for an insertion, whether the row existed before the change.
  func append(
    _ operation: ListOperation, places: [UInt8]?, isReturn: Bool, to list: RowKey,
    revision: Revision, sequence: Int
  ) throws(StorageError) {
    let (kind, row, source, target): (Int64, RowID?, Int?, Int?) =
      switch operation {
      case .insert(let row, let index): (0, row, isReturn ? nil : 0, index)
      case .delete(let row, let index): (1, row, index, nil)
      case .move(let row, let from, let to): (2, row, from, to)
      case .reload(let row, let index): (3, row, index, nil)
      case .permute: (4, nil, nil, nil)
      case .fields(let fields): (5, nil, Int(fields.rawValue), nil)
      }
    try db.sql(
      """
      INSERT INTO operation (inventory, revision, sequence, list, kind, row, source, target, places)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
        -- For a removed row: whether it is a list.
        CASE ?5 WHEN 1 THEN (SELECT CAST(kind = 0 AS INTEGER) FROM row WHERE inventory = ?1 AND id = ?6) ELSE ?8 END,
        ?9)
      """
    ).bind(inventory).bind(revision.number).bind(sequence).bind(list).bind(kind).bind(row)
      .bind(source).bind(target).bind(places).perform()
  }

  func append(_ edit: Edit, revision: Revision) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO edit (inventory, revision, row, field, before, after)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    ).bind(inventory).bind(revision.number).bind(edit.row).bind(edit.field)
      .bind(edit.before, db.engine).bind(edit.after, db.engine).perform()
  }

  /// The maximum number of operations in a span; composing more would take too long.
  static let maximumOperations = Activity.maximumSteps
  /// The maximum number of rows in all new orders of a span together. It equals the maximum number of rows in one new
  /// order.
  static let maximumPlaces = Limits.rowsReordered

  /// Whether the log has the creation of a list after a revision. The creation is the list's first operation, and is
  /// logged as `fields` without any field.
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
    try eachOperation(on: list, since: since, readingPlacesUpTo: placesLimit) {
      places += $0
      return places <= placesLimit
    } _: {
      operations.append($0)
      return operations.count <= limit
    }
    guard places <= placesLimit, operations.count <= limit else {
      guard limit == Self.maximumOperations else { throw .refused(.boundExceeded) }
      return nil
    }
    return operations
  }

  /// Reads the operations on a list since a revision, oldest first, while both closures return true.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of places of a new order. For a longer one, `mayRead` must return false.
  ///   - mayRead: called before each operation is read, with its number of places: 0 if it is no new order.
  func eachOperation(
    on list: RowKey, since: Revision, readingPlacesUpTo limit: Int, mayRead: (Int) -> Bool,
    _ body: (ListOperation) -> Bool
  ) throws(StorageError) {
    // SQLite gets a column's length without reading it: https://www.sqlite.org/fileformat2.html#record_format
    try db.sql(
      """
      SELECT kind, row, source, target, CASE WHEN kind = 4 AND length(places) <= ?3 THEN places END,
        CASE WHEN kind = 4 THEN coalesce(length(places), 0) ELSE 0 END
      FROM operation WHERE list = ?1 AND revision > ?2 ORDER BY revision, sequence
      """
    ).bind(list).bind(since.number).bind(limit * LoggedOrder.bytesOfPlace)
      .eachWhile { (row) throws(StorageError) in
        guard mayRead(row.int(5) / LoggedOrder.bytesOfPlace) else { return false }
        guard let operation = ListOperation(row) else {
          throw .broken("list \(list): an operation cannot be read")
        }
        return body(operation)
      }
  }
}

extension ListOperation {
  /// Reads kind, row, source, target and places from the first columns. Nil if they hold an operation that no write
  /// logs.
  init?(_ columns: Statement) {
    let row = columns.isNull(1) ? nil : RowID(columns.uuid(1))
    let (source, target) = (columns.intOrNil(2), columns.intOrNil(3))
    // No list has so many rows. A sound log has no such index, and code must not compute with one.
    let indices = 0...(1 << 40)
    guard indices.contains(source ?? 0), indices.contains(target ?? 0) else { return nil }
    switch (columns.int64(0), row, source, target) {
    case (0, let row?, _, let index?): self = .insert(row, at: index)
    case (1, let row?, let index?, _): self = .delete(row, at: index)
    case (2, let row?, let from?, let to?): self = .move(row, from: from, to: to)
    case (3, let row?, let index?, _): self = .reload(row, at: index)
    case (4, _, _, _):
      guard let places = columns.bytesOrNil(4) else { return nil }
      self = .permute(order: LoggedOrder.order(places))
    case (5, _, let bits?, _): self = .fields(ListFields(rawValue: UInt8(truncatingIfNeeded: bits)))
    default: return nil
    }
  }

  /// The row that an operation inserts into its list or removes from it; nil for other operations.
  var arrivalOrDeparture: RowID? {
    switch self {
    case .insert(let row, _), .delete(let row, _): row
    case .move, .reload, .permute, .fields: nil
    }
  }
}

/// A new order in the log: each place as a 32-bit little-endian number.
enum LoggedOrder {
  static let bytesOfPlace = 4

  static func bytes(_ order: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(order.count * bytesOfPlace)
    for place in order {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: place >> shift))
      }
    }
    return bytes
  }

  static func order(_ bytes: [UInt8]) -> [Int] {
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
  /// Binds a value of any type. PostgreSQL has no column for that, so a letter before the value gives its type.
  fileprivate func bind(_ value: FieldValue, _ engine: Connection.Engine) -> Statement {
    switch (value, engine) {
    case (.null, _): bindNull()
    case (.integer(let number), .sqlite): bind(number)
    case (.text(let text), .sqlite): bind(text)
    case (.integer(let number), .postgreSQL): bind("i\(number)")
    case (.text(let text), .postgreSQL): bind("t" + text)
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
