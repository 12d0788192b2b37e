import Inventory
import SQL

/// An item as stored in the tables.
struct ItemRecord {
  let key: RowKey
  let id: ItemID
  /// The list that contains it; nil in the trash.
  var parent: RowKey?
  var place: TreeSlot?
  var details: ItemDetails
  /// The key and the id of its contents list.
  var contents: (key: RowKey, id: ListID)?
  /// In order.
  var photos: [PhotoID] = []
  var revision: Revision
  var createdAt: Timestamp
  var updatedAt: Timestamp

  func item(in list: ListID) -> Item {
    Item(
      id: id, listID: list, details: details, contentsListID: contents?.id, photos: photos,
      revision: revision, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension ItemRecord {
  /// Throws `broken` if there is no item with this key.
  static func read(_ key: RowKey, in db: Connection) throws(StorageError) -> ItemRecord {
    guard let record = try find(key: key, in: db) else { throw .broken("item \(key) is gone") }
    return record
  }

  static func find(key: RowKey, in db: Connection) throws(StorageError) -> ItemRecord? {
    var record = try db.sql(
      ItemDetails.columns,
      """
      contents, row.key, parent, coalesce(arranged_row.leaf, row.leaf),
      coalesce(arranged_row.pos, row.pos), created_at, row.updated_at, row.revision,
      (SELECT id FROM row AS nested WHERE nested.key = row.contents),
      photo
      FROM row LEFT JOIN list ON list.key = parent
      LEFT JOIN arranged_row ON arranged_row.arrangement = list.arrangement
        AND arranged_row.row = row.key
      WHERE row.key = ?1 AND kind > 0
      """
    ).bind(key).one(ItemRecord.init)
    // Few items have photos, so read the others only if there is a first one.
    if record?.photos.isEmpty == false {
      record?.photos = try PhotoRecord.ids(of: key, in: db)
    }
    return record
  }

  private init(_ row: Statement) {
    let rest = ItemDetails.columnCount
    let contentsID = row.isNull(rest) ? nil : ListID(row.uuid(rest + 8))
    let summary = ItemSummary(row, contents: contentsID, photo: row.photoOrNil(rest + 9))
    key = row.key(rest + 1)
    id = summary.id
    parent = row.keyOrNil(rest + 2)
    place = row.int64OrNil(rest + 3).map { TreeSlot(leaf: $0, pos: row.int64(rest + 4)) }
    details = ItemDetails(row, summary)
    contents = contentsID.map { (row.key(rest), $0) }
    if let first = summary.photo { photos = [first] }
    createdAt = row.time(rest + 5)
    updatedAt = row.time(rest + 6)
    revision = Revision(row.int64(rest + 7))
  }

  /// Inserts an item. Returns its key.
  static func insert(
    _ id: ItemID, _ details: ItemDetails, inventory: InventoryKey, list: RowKey, at place: TreeSlot,
    createdAt: Timestamp, updatedAt: Timestamp, revision: Revision, placed: Revision,
    in db: Connection
  ) throws(StorageError) -> RowKey {
    return try db.sql(
      """
      INSERT INTO row (inventory, parent, leaf, pos, kind, id, title, name, serial_number, value,
        quantity, tags, make, model, year, fuel, fields, notes, created_at, updated_at, revision,
        placed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22)
      """
    ).bind(inventory).bind(list).bind(place.leaf).bind(place.pos).bind(details.kind.code).bind(id)
      .bind(details).bind(createdAt.seconds).bind(updatedAt.seconds).bind(revision.number)
      .bind(placed.number).insert()
  }

  /// The amount that an item adds to its list's total.
  static func total(of key: RowKey, in db: Connection) throws(StorageError) -> TotalCents {
    try db.sql("SELECT coalesce(value, 0), quantity FROM row WHERE key = ?1").bind(key)
      .one { TotalCents(Int128($0.int64(0)) * Int128($0.int64(1))) } ?? .zero
  }

  /// Writes the item's own fields, revision and last update.
  func save(in db: Connection) throws(StorageError) {
    try db.sql(
      """
      UPDATE row SET title = ?2, name = ?3, serial_number = ?4, value = ?5, quantity = ?6,
        tags = ?7, make = ?8, model = ?9, year = ?10, fuel = ?11, fields = ?12, notes = ?13,
        updated_at = ?14, revision = ?15, contents = ?16
      WHERE key = ?1
      """
    ).bind(key).bind(details).bind(updatedAt.seconds).bind(revision.number).bind(contents?.key)
      .perform()
  }
}

/// The codes of the column `row.kind`; a list has 0.
extension ItemKind {
  init?(code: Int64) {
    switch code {
    case 1: self = .thing
    case 2: self = .car
    default: return nil
    }
  }

  var code: Int64 {
    switch self {
    case .thing: 1
    case .car: 2
    }
  }
}

extension Statement {
  /// Reads `row.kind`.
  func isList(_ column: Int) -> Bool { int64(column) == 0 }

  /// Reads `row.kind`; nil for a list.
  func itemKind(_ column: Int) -> ItemKind? { ItemKind(code: int64(column)) }

  /// Binds title, name, serial_number, value, quantity, tags, make, model, year, fuel, fields, notes.
  func bind(_ details: ItemDetails) -> Statement {
    let car = details.car
    return bind(details.title).bind(car == nil ? nil : details.name).bind(details.serialNumber)
      .bind(details.value?.amount).bind(details.quantity).bind(details[.tags].text)
      .bind(car?.make).bind(car?.model).bind(car?.year).bind(car?.fuelAmount)
      .bind(details.fields == .none ? nil : details.fields.json).bind(details.notes)
  }
}

extension BorrowedRow.Item {
  /// Reads name, serial_number, value, quantity, tags, make, model, year and fuel, from column 3 on. A thing's name is
  /// its title.
  init(_ row: Statement, isCar: Bool, title: BorrowedRow.Text, contents: ListID?, photo: PhotoID?) {
    self.init(
      car: isCar
        ? BorrowedRow.Car(
          make: row.text(8), model: row.text(9), year: row.intOrNil(10),
          fuelAmount: row.int64OrNil(11)) : nil,
      name: isCar ? row.text(3) : title, serialNumber: row.text(4),
      value: row.int64OrNil(5).map(Cents.init), quantity: row.int64(6), tags: row.text(7),
      contentsListID: contents, photo: photo)
  }
}

extension ItemSummary {
  /// The first columns of statements that read rows.
  static let columns: StaticString = """
    SELECT kind, id, title, name, serial_number, value, quantity, tags, make, model, year, fuel,
    """

  /// Reads the columns of `columns`.
  init(_ row: Statement, contents: ListID?, photo: PhotoID?) {
    let title = row.text(2) ?? BorrowedRow.Text(start: nil, count: 0)
    self.init(
      id: ItemID(row.uuid(1)), title: String(decoding: title, as: UTF8.self),
      BorrowedRow.Item(
        row, isCar: row.itemKind(0) == .car, title: title, contents: contents, photo: photo))
  }
}

extension ItemDetails {
  /// The first columns of statements that read whole items: those of `ItemSummary.columns`, then the others.
  static let columns: StaticString = """
    SELECT kind, id, title, name, serial_number, value, quantity, tags, make, model, year, fuel,
    fields, notes,
    """
  /// The number of `columns`.
  static let columnCount = 14

  /// Reads the columns of `columns`.
  ///
  /// - Parameter summary: the summary read from the same row.
  init(_ row: Statement, _ summary: ItemSummary) {
    self.init(
      subject: summary.subject, name: summary.name, serialNumber: summary.serialNumber,
      value: summary.value, quantity: summary.quantity, notes: row.stringOrNil(13),
      tags: summary.tags, fields: row.stringOrNil(12).map(CustomFields.init(json:)) ?? .none)
  }
}
