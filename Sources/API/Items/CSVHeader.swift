import Inventory

/// The columns of a table, from the names in its first line.
///
/// Tables of two other products are recognized: Homebox, whose names begin with `HB.`, and Snipe-IT, which
/// has an `Asset Tag`. Their columns without a counterpart become custom fields. A table with a column name that only
/// Rowhouse writes is Rowhouse's.
///
/// `make`, `model`, `year` and `fuelAmount` are a car's only in a table with a column `kind` or `id`. In other tables
/// they can mean anything and are unknown columns.
///
/// Outside the tables of the two products, a column may also have a usual name such as `Price`. If several columns could be
/// the same one, one with Rowhouse's own name counts, or else the first of them. The others are unknown columns.
///
/// What the request says of a column comes before all of this.
struct CSVHeader {
  /// The column of each cell. Nil for an unknown name.
  private(set) var columns: [ItemColumn?] = []
  private(set) var faults: [FieldError] = []
  /// Whether the table is Homebox's or Snipe-IT's.
  private(set) var isForeign = false
  /// Whether the table looks like this server's export, which also guards parts inside cells (`FormulaGuard`).
  private(set) var isExport = false
  /// The names of the custom fields that may hold the other product's id of an item. The first one in which a line has
  /// an id identifies its item.
  private(set) var references: [String] = []
  private let names: [String]
  /// Whether the request says what each column is.
  private var isGiven: [Bool] = []

  /// - Parameters:
  ///   - lines: the reader, after the first line.
  ///   - takesUnknown: whether unknown columns become custom fields. A column `id` or `kind` also becomes one if it has
  ///     values and Rowhouse accepts none of them.
  ///   - makesRooms: whether the column of locations names lists. Nil: in an export it does.
  ///   - given: what columns are, by their names or those of the custom fields that they would become. Of long names
  ///     the first `Limits.shortText` characters.
  init(
    _ header: CSVReader.Record, lines: CSVReader, takesUnknown: Bool, makesRooms: Bool?,
    given: [String: ItemColumn]
  ) {
    let names = header.cells.map { $0.trimmed }
    self.names = names
    let meant = { (name: String) in given[Self.short(name)] }
    var location = "location"
    let read: (String) -> ItemColumn?
    let isWrittenHere = names.contains(where: Self.rowhouseNames.contains)
    if !isWrittenHere, names.contains(where: { $0.hasPrefix("HB.") }) {
      isForeign = true
      location = "hb.location"
      read = Self.homebox
      references = Self.homeboxReferences.filter { names.contains("HB." + $0) }
    } else if !isWrittenHere,
      names.contains(where: { $0.lowercased() == Self.assetTag.lowercased() })
    {
      isForeign = true
      read = Self.snipeIT
      references = [Self.assetTag]
    } else {
      var foreign: Set<ItemColumn> = []
      var hasCars = names.contains { [.id, .kind].contains(meant($0)) }
      for column in [ItemColumn.id, .kind] {
        guard let index = names.firstIndex(where: { meant($0) == nil && Self.own($0) == column })
        else { continue }
        switch takesUnknown ? Self.contents(of: column, at: index, lines) : .ours {
        case .ours: hasCars = true
        case .foreign: foreign.insert(column)
        case .empty: break
        }
      }
      isExport =
        names.contains("id") && !foreign.contains(.id)
        || ItemColumn.standard.dropFirst().allSatisfy { names.contains($0.name) }
      var usual: [String: ItemColumn] = [:]
      var taken = Set(names.compactMap { meant($0) ?? Self.own($0) })
      for name in names where meant(name) == nil && Self.own(name) == nil {
        guard let column = Self.usual[name.lowercased()] else { continue }
        if taken.insert(column).inserted { usual[name] = column }
      }
      read = { [foreign, hasCars, usual] name in
        if let column = usual[name] { return column }
        if let column = Self.own(name), !foreign.contains(column), hasCars || !column.isCars {
          return column
        }
        return takesUnknown ? ItemColumn.field(name) : nil
      }
    }
    let makesRooms = makesRooms ?? (isExport && names.contains(ItemColumn.location.name))
    var unused = Set(given.keys)
    for name in names {
      let own =
        makesRooms && name.lowercased() == location
        ? .rooms : name.isEmpty ? .unnamed : read(name)
      var keys = [Self.short(name)]
      if case .field(let field)? = own { keys.append(Self.short(field)) }
      let key = keys.first { given[$0] != nil }
      columns.append(key.flatMap { given[$0] } ?? own)
      isGiven.append(key != nil)
      if let key { unused.remove(key) }
    }
    for name in unused.sorted() where faults.count < Limits.reportedErrors {
      faults.append(
        FieldError(line: header.line, .column(name), "The table has no column with this name."))
    }
    var seen: Set<ItemColumn> = []
    for (name, column) in zip(names, columns) where faults.count < Limits.reportedErrors {
      guard let column else {
        let isCars = Self.own(name)?.isCars == true
        faults.append(
          FieldError(
            line: header.line, .column(Self.short(name)), isCars ? Self.needsKind : Self.unknown))
        continue
      }
      if ![.otherName, .unnamed, .ignored].contains(column), !seen.insert(column).inserted {
        faults.append(FieldError(line: header.line, .column(name), "Given more than once."))
      }
    }
  }

  /// The table's name for the column of an item's member, or the standard name.
  func name(of path: [String]) -> String {
    let member = (path.first == "car" ? path.dropFirst().first : path.first) ?? "name"
    let column = ItemColumn.standard.first { $0.name == member }?.column
    return columns.firstIndex { $0 != nil && $0 == column }.map { names[$0] } ?? member
  }

  /// The custom fields that columns without a known name become, with at most `Limits.shortText` characters of each name.
  var unknownFields: [String] {
    names.indices.compactMap { index in
      guard case .field(let field)? = columns[index], !names[index].hasPrefix("fields."),
        !isGiven[index], !references.contains(field)
      else { return nil }
      return Self.short(field)
    }
  }

  /// The name of the column that becomes this custom field.
  func name(ofField field: String) -> String {
    columns.firstIndex(of: .field(field)).map { names[$0] } ?? field
  }

  /// The reference in a cell.
  ///
  /// - Parameter field: one of `references`.
  /// - Returns: nil if the text identifies no item.
  func reference(_ text: String, in field: String) -> ItemReference? {
    let isGood =
      switch field {
      case Self.address: ItemReference.id(endOf: text) != nil
      // Homebox writes 000-000 for an item without a number.
      case Self.number: text.utf8.contains { 0x31...0x39 ~= $0 }
      default: !text.isEmpty
      }
    return isGood ? ItemReference(field: field, value: text) : nil
  }

  private enum Contents { case empty, ours, foreign }

  /// Whether the column `id` or `kind` has a value that Rowhouse accepts (`ours`), only other values (`foreign`), or
  /// none (`empty`).
  private static func contents(
    of column: ItemColumn, at index: Int, _ lines: CSVReader
  ) -> Contents {
    var lines = lines
    var contents = Contents.empty
    while let record = try? lines.next() {
      guard index < record.cells.count else { continue }
      let cell = record.cells[index].trimmed
      guard !cell.isEmpty else { continue }
      let isOurs = column == .id ? ItemID(text: cell) != nil : ItemKind(cell: cell) != nil
      guard !isOurs else { return .ours }
      contents = .foreign
    }
    return contents
  }

  private static let needsKind =
    "This column is for cars. Add a column kind with car in the lines of cars, "
    + "or send ?unknownColumns=fields to keep this column as a custom field."

  private static let unknown =
    "Unknown column. Known columns: \(ItemColumn.standard.map(\.name).joined(separator: ", ")), "
    + "and fields.NAME for a custom field. Send ?unknownColumns=fields to keep the others as custom fields."

  /// Names, in exactly this case, that only Rowhouse's tables have. Snipe-IT has an `ID`.
  private static let rowhouseNames: Set = [
    "id", "fields", "valueInDollars", "serialNumber", "fuelAmount",
  ]

  private static func short(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(Limits.shortText)))
  }

  /// The columns by the names, in lower case, that people give them in spreadsheets.
  private static let usual: [String: ItemColumn] = [
    "title": .name, "item": .name, "item name": .name, "product": .name,
    "serial": .serialNumber, "serial number": .serialNumber, "serial no": .serialNumber,
    "serial no.": .serialNumber,
    "value": .value, "price": .value, "cost": .value, "purchase price": .value,
    "unit price": .value, "value in dollars": .value,
    "qty": .quantity, "count": .quantity,
    "note": .notes, "remark": .notes, "remarks": .notes,
    "comment": .notes, "comments": .notes, "description": .notes,
    "tag": .tags, "labels": .tags, "category": .tags, "categories": .tags,
  ]

  /// The column with one of Rowhouse's own names, in any case; nil for another name.
  static func own(_ name: String) -> ItemColumn? {
    if name.hasPrefix("fields."), name.utf8.count > 7 { return .field(String(name.dropFirst(7))) }
    return ItemColumn.standard.first { $0.name.lowercased() == name.lowercased() }?.column
  }

  /// The last part of an item's address in Homebox is its UUID.
  private static let address = "url"
  private static let number = "asset_id"

  /// Homebox fills `import_ref` only for items that it has imported itself. An item has an address in every export of
  /// newer versions. People can change the number.
  private static let homeboxReferences = ["import_ref", address, number]

  private static func homebox(_ name: String) -> ItemColumn? {
    switch name {
    case "HB.name": return .name
    case "HB.serial_number": return .serialNumber
    case "HB.purchase_price": return .value
    case "HB.quantity": return .quantity
    case "HB.description": return .description
    case "HB.notes": return .notes
    case "HB.tags", "HB.labels": return .plainTags
    default:
      var field = name[...]
      for prefix in ["HB.", "field."] where field.hasPrefix(prefix) {
        field = field.dropFirst(prefix.count)
      }
      return field.isEmpty ? nil : .field(String(field))
    }
  }

  private static let assetTag = "Asset Tag"

  private static func snipeIT(_ name: String) -> ItemColumn? {
    switch name.lowercased() {
    case "name", "item name", "asset name": .name
    case "serial", "serial number": .serialNumber
    case "purchase cost": .value
    case "quantity", "qty": .quantity
    case "notes", "asset notes", "item notes": .notes
    case "category": .plainTags
    case "model", "model name": .otherName
    case assetTag.lowercased(): .field(assetTag)
    default: .field(name)
    }
  }
}
