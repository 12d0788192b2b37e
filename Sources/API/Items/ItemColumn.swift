import FoundationEssentials
import Inventory
import JSON

/// The content of a column in a table of items.
enum ItemColumn: Sendable, Hashable {
  case id, name, serialNumber, value, quantity, notes, tags, kind, make, model, year, fuelAmount
  /// All custom fields as a JSON object.
  case fields
  /// One custom field, as text.
  case field(String)
  /// A custom field that may also name the item. An item without a name gets the first value of such columns that is
  /// not empty. An item whose name came from these columns gets the new value.
  case otherName
  /// A text to insert before the notes.
  case description
  /// Tags separated by semicolons, without escapes.
  case plainTags
  /// The titles of nested lists that contain the item, separated by ` / `.
  case rooms
  /// An unnamed, empty column. Spreadsheets write such columns at the end.
  case unnamed
  /// A column whose cells are not read.
  case ignored

  /// The columns of an exported table with their names, in order.
  static let standard: [(name: String, column: ItemColumn)] = [
    ("id", .id), ("name", .name), ("serialNumber", .serialNumber), ("valueInDollars", .value),
    ("quantity", .quantity), ("notes", .notes), ("tags", .tags), ("kind", .kind),
    ("make", .make), ("model", .model), ("year", .year), ("fuelAmount", .fuelAmount),
    ("fields", .fields),
  ]

  /// The column that an export of several lists has besides.
  static let location: (name: String, column: ItemColumn) = ("location", .rooms)

  /// The column that a request means by a word for it in its parameter `columns`; nil for an unknown word.
  init?(meaning: String) {
    switch meaning {
    case "ignore": self = .ignored
    case Self.location.name: self = Self.location.column
    default:
      guard let column = CSVHeader.own(meaning) else { return nil }
      self = column
    }
  }

  /// Whether only cars have this column.
  var isCars: Bool { [.make, .model, .year, .fuelAmount].contains(self) }
}

extension TransferredItem {
  /// The item's text in a column of an exported table.
  ///
  /// - Parameter location: the text for its location.
  func cell(_ column: ItemColumn, in location: String?) -> String? {
    func number(_ units: Int64?, places: Int) -> String? {
      units.map { units in
        String(decoding: JSONWriter.bytes { $0.decimal(units, places: places) }, as: UTF8.self)
      }
    }
    let car = details.car
    switch column {
    case .id: return id.description
    case .name: return details.name.map(FormulaGuard.guarded)
    case .serialNumber: return details.serialNumber.map(FormulaGuard.guarded)
    case .value: return number(details.value?.amount, places: 2)
    case .quantity: return String(details.quantity)
    case .notes: return details.notes.map(FormulaGuard.guarded)
    case .tags:
      return details.tags.isEmpty ? nil : FormulaGuard.guarded(TagText.text(details.tags))
    case .kind: return details.kind.rawValue
    case .make: return car?.make.map(FormulaGuard.guarded)
    case .model: return car?.model.map(FormulaGuard.guarded)
    case .year: return car?.year.map(String.init)
    case .fuelAmount: return number(car?.fuelAmount, places: 2)
    case .fields:
      return details.fields == .none ? nil : FormulaGuard.guarded(details.fields.json)
    case .rooms: return location
    case .field, .otherName, .description, .plainTags, .unnamed, .ignored: return nil
    }
  }
}

extension ItemKind {
  /// Parses a kind from a cell.
  init?(cell: String) { self.init(rawValue: cell.trimmed.lowercased()) }
}

/// Converts one line of a table to a patch of an item.
struct ItemTableLine {
  let line: Int
  private let columns: CSVHeader
  private let separator: CSVReader.Separator
  /// The inventory's; nil for US dollars.
  private let currency: Currency?
  /// The deepest nesting of JSON in a cell.
  private let maximumDepth: Int
  /// By the names of their custom fields.
  private var references: [String: ItemReference] = [:]
  private(set) var faults: [FieldError] = []
  private var id: ItemID?
  private var patch = ItemPatch()
  /// The custom fields from the column `fields`.
  private var fields: JSONObject?
  /// The custom fields from separate columns, in order. Nil clears a field.
  private var singleFields: [(name: String, value: String?)] = []
  private var description: String?
  private var otherNames: [String] = []
  private var otherNameFields: [String] = []
  private var rooms: [String] = []
  /// The column of a location with too many titles.
  private var deepColumn: String?

  init(
    line: Int, _ columns: CSVHeader, separator: CSVReader.Separator, currency: Currency?,
    maximumDepth: Int
  ) {
    self.currency = currency
    self.line = line
    self.columns = columns
    self.separator = separator
    self.maximumDepth = maximumDepth
  }

  mutating func take(_ cell: String, _ column: ItemColumn, name: String) {
    // Homebox, Snipe-IT and people guard formulas at a cell's beginning, as this server does.
    let plain = FormulaGuard.unguarded(cell, isExport: columns.isExport)
    let text = plain.isEmpty ? nil : plain
    switch column {
    case .id: takeID(cell, name)
    case .kind: takeKind(cell, name)
    case .name: patch.give(.name) { $0.name = text }
    case .serialNumber: patch.give(.serialNumber) { $0.serialNumber = text }
    case .notes: patch.give(.notes) { $0.notes = text }
    case .make: patch.give(.make) { $0.car?.make = text }
    case .model: patch.give(.model) { $0.car?.model = text }
    case .value:
      let amount = CurrencyMark.bare(cell.trimmed, currency)
      if let fault = CurrencyMark.fault(in: amount, currency) { return note(name, fault) }
      let cents = number(amount, places: 2, name).map { Cents($0) }
      patch.give(.value) { $0.value = cents }
    case .quantity:
      let count = number(cell, places: 0, name) ?? 1
      patch.give(.quantity) { $0.quantity = count }
    case .year:
      let year = number(cell, places: 0, name).map { Int($0) }
      patch.give(.year) { $0.car?.year = year }
    case .fuelAmount:
      let fuel = number(cell, places: 2, name)
      patch.give(.fuelAmount) { $0.car?.fuelAmount = fuel }
    case .tags:
      let tags = columns.isExport ? TagText.tags(plain) : TagText.typedTags(plain)
      patch.give(.tags) { $0.tags = tags }
    case .plainTags: patch.give(.tags) { $0.tags = TagText.plainTags(plain) }
    case .fields: takeFields(cell, name)
    case .field(let field) where columns.references.contains(field):
      let value = TextRules.trimmed(plain)
      singleFields.append((field, value.isEmpty ? nil : value))
      references[field] = columns.reference(value, in: field)
    case .field(let field): singleFields.append((field, text))
    case .otherName:
      if !plain.trimmed.isEmpty { otherNames.append(plain) }
      otherNameFields.append(name)
      // Several columns may have the same name.
      if !plain.isEmpty || !singleFields.contains(where: { $0.name == name }) {
        singleFields.append((name, text))
      }
    case .description: description = plain
    case .rooms: takeRooms(plain, name)
    case .unnamed: if !cell.isEmpty { note(name, "The first line does not have this column.") }
    case .ignored: break
    }
  }

  /// The line's change, without invalid cells.
  mutating func upsert() -> ItemUpsert {
    if let fields {
      if fields.count > Limits.fieldCount {
        faults.append(
          FieldError(
            line: line, .column("fields"), "Use at most \(Limits.fieldCount) custom fields."))
      }
      patch.give(.fields) { $0.fields = CustomFields(fields) }
    }
    if !singleFields.isEmpty { patch.fieldsEdit = FieldsEdit(setting: singleFields) }
    if let description {
      let text = [description, patch.details.notes ?? ""].filter { !$0.isEmpty }
        .joined(separator: "\n\n")
      patch.give(.notes) { $0.notes = text.isEmpty ? nil : text }
    }
    if let other = otherNames.first {
      patch.fallbackName = FallbackName(other, in: otherNameFields)
    }
    if let deepColumn {
      if id == nil {
        note(deepColumn, "At most \(Limits.roomsInOneCell) locations inside one another.")
      }
      // An item that exists stays where it is. The store refuses a new one.
      rooms.removeLast(rooms.count - Limits.roomsInOneCell - 1)
    }
    let reference = columns.references.compactMap { references[$0] }.first
    return ItemUpsert(
      line: line, id: id, newID: ItemID(.version7()), patch: patch, reference: reference,
      referenceField: reference?.field ?? columns.references.first, rooms: rooms)
  }

  private mutating func takeRooms(_ text: String, _ name: String) {
    rooms = LocationText.titles(text, isExport: columns.isExport)
    if rooms.count > Limits.roomsInOneCell {
      deepColumn = name
    } else if let fault = rooms.lazy.compactMap({ TextRules.fault(in: $0, length: Limits.title) })
      .first
    {
      note(name, fault)
    }
  }

  private mutating func takeID(_ cell: String, _ name: String) {
    guard !cell.trimmed.isEmpty else { return }
    id = ItemID(text: cell.trimmed)
    if id == nil { note(name, "Send an id: a UUID of 36 characters." + Self.orKeep(name)) }
  }

  private mutating func takeKind(_ cell: String, _ name: String) {
    guard !cell.trimmed.isEmpty else { return }
    patch.kind = ItemKind(cell: cell)
    if patch.kind == nil { note(name, "Enter thing or car." + Self.orKeep(name)) }
  }

  /// The advice for a column of another product that has one of Rowhouse's names.
  private static func orKeep(_ name: String) -> String {
    " If no \(name) in the table is Rowhouse's, ?unknownColumns=fields keeps the column as a custom field."
  }

  private mutating func takeFields(_ cell: String, _ name: String) {
    var object = JSONObject()
    if !cell.trimmed.isEmpty {
      let text = FormulaGuard.unguarded(cell, isExport: columns.isExport)
      let value = try? JSONReader.parse(Array(text.utf8), maximumDepth: maximumDepth)
      guard case .object(let given)? = value else {
        note(name, "Enter a JSON object.")
        return
      }
      object = given
    }
    fields = object
  }

  /// The cell's number, multiplied by 10^places; nil if it is empty. Notes an error if the text is not a number.
  private mutating func number(
    _ cell: String, places: Int, _ name: String
  ) -> Int64? {
    let text = cell.trimmed
    guard !text.isEmpty else { return nil }
    do throws(NumberText.Fault) {
      // Where commas are between the cells, none is a decimal comma.
      let isGrouped = columns.isForeign || separator == .comma
      return try NumberText.parse(text, places: places, separator, isGrouped: isGrouped)
    } catch {
      note(name, error.detail)
      return nil
    }
  }

  private mutating func note(_ column: String, _ detail: String) {
    faults.append(FieldError(line: line, .column(column), detail))
  }
}

extension FallbackName {
  /// - Parameter fields: the custom fields that may hold the name, in order.
  fileprivate init(_ text: String, in fields: [String]) {
    self.init(text) { (present) throws(InventoryError) in
      guard case .object(let object) = try present.value() else { return nil }
      for field in fields {
        if case .string(let text)? = object[field], !text.trimmed.isEmpty { return text }
      }
      return nil
    }
  }
}

extension FieldsEdit {
  /// - Parameter fields: the fields to set, in order. Nil clears a field.
  init(setting fields: [(name: String, value: String?)]) {
    let fields = fields.map { ($0.name, $0.value) }
    let size = fields.reduce(0) { $0 + $1.0.utf8.count + ($1.1?.utf8.count ?? 0) }
    self.init(textSize: size) { (present) throws(InventoryError) in
      var object = JSONObject()
      if case .object(let known) = try present.value() { object = known }
      var isChanged = false
      for (name, value) in fields {
        let new = value.map(JSONValue.string)
        guard object[name] != new else { continue }
        object[name] = new
        isChanged = true
      }
      return (isChanged ? CustomFields(object) : present, object.count)
    }
  }
}
