import FoundationEssentials
import Inventory
import JSON

/// Converts one line of a table to a patch of an item.
struct ItemTableLine {
  let line: Int
  private let columns: CSVHeader
  private let separator: CSVReader.Separator
  /// The deepest nesting of JSON in a cell.
  private let maximumDepth: Int
  private var reference: ItemReference?
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

  init(
    line: Int, _ columns: CSVHeader, separator: CSVReader.Separator, maximumDepth: Int
  ) {
    self.line = line
    self.columns = columns
    self.separator = separator
    self.maximumDepth = maximumDepth
  }

  mutating func take(_ cell: String, _ column: ItemColumn, name: String) {
    // Homebox, Snipe-IT and people guard formulas at a cell's beginning, as this server does.
    let plain = FormulaGuard.unguarded(cell, isOwn: columns.isExport)
    func text() -> ItemPatch.Field<String> { plain.isEmpty ? .clear : .set(plain) }
    switch column {
    case .id: takeID(cell, name)
    case .kind: takeKind(cell, name)
    case .name: patch.name = text()
    case .serialNumber: patch.serialNumber = text()
    case .notes: patch.notes = text()
    case .make: patch.make = text()
    case .model: patch.model = text()
    case .value: patch.value = number(cell, places: 2, name)?.map { Cents($0) }
    case .quantity: patch.quantity = number(cell, places: 0, name)
    case .year: patch.year = number(cell, places: 0, name)?.map { Int($0) }
    case .fuelAmount: patch.fuelAmount = number(cell, places: 2, name)
    case .tags: patch.tags = Self.field(TagText.tags(plain))
    case .plainTags:
      patch.tags = Self.field(TagText.plainTags(plain))
    case .fields: takeFields(cell, name)
    case .field(let field):
      singleFields.append((field, plain.isEmpty ? nil : plain))
      if !plain.isEmpty, field == columns.reference {
        reference = ItemReference(field: field, value: plain)
      }
    case .otherName:
      if !plain.trimmed.isEmpty { otherNames.append(plain) }
      otherNameFields.append(name)
      // Several columns may have the same name.
      if !plain.isEmpty || !singleFields.contains(where: { $0.name == name }) {
        singleFields.append((name, plain.isEmpty ? nil : plain))
      }
    case .description: description = plain
    case .rooms: takeRooms(plain, name)
    case .unnamed: if !cell.isEmpty { note(name, "The first line does not have this column.") }
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
      patch.fields = fields.isEmpty ? .clear : .set(CustomFields(fields))
    }
    if !singleFields.isEmpty { patch.fieldsEdit = FieldsEdit(setting: singleFields) }
    if let description {
      var parts = [description]
      if case .set(let notes)? = patch.notes { parts.append(notes) }
      let text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
      patch.notes = text.isEmpty ? .clear : .set(text)
    }
    if let other = otherNames.first {
      patch.fallbackName = FallbackName(other, in: otherNameFields)
    }
    return ItemUpsert(
      line: line, id: id, newID: ItemID(.version7()), patch: patch, reference: reference,
      referenceField: columns.reference, rooms: rooms)
  }

  /// Splits locations like Homebox: "Home / Office / Desk" (https://hay-kot.github.io/homebox/import-csv/).
  private mutating func takeRooms(_ text: String, _ name: String) {
    rooms = text.split(separator: " / ").map { TextRules.trimmed(String($0)) }
      .filter { !$0.isEmpty }
    if rooms.count > Limits.roomsInOneCell {
      note(name, "At most \(Limits.roomsInOneCell) locations inside one another.")
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
      let text = FormulaGuard.unguarded(cell, isOwn: columns.isExport)
      let value = try? JSONReader.parse(Array(text.utf8), maximumDepth: maximumDepth)
      guard case .object(let given)? = value else {
        note(name, "Enter a JSON object.")
        return
      }
      object = given
    }
    fields = object
  }

  /// The cell's number, multiplied by 10^places. Nil, with an error noted, if the text is not a number.
  private mutating func number(
    _ cell: String, places: Int, _ name: String
  ) -> ItemPatch.Field<Int64>? {
    var text = cell.trimmed
    guard !text.isEmpty else { return .clear }
    if separator != .comma, Self.isAmbiguous(text) {
      note(
        name,
        "It may be thousands or decimals. Write it without a separator, such as 1500, or with one or two decimals."
      )
      return nil
    }
    if separator == .semicolon { text = Self.withDecimalPoint(text) }
    if !columns.isOwn { text = Self.ungrouped(text) }
    guard let number = JSONNumber(text: text) else {
      note(name, places == 0 ? "Enter a whole number." : "Enter a number, such as 12.50.")
      return nil
    }
    do throws(JSONNumber.ScalingError) {
      return .set(try number.exactly(places: places))
    } catch {
      switch error {
      case .tooManyPlaces:
        note(name, places == 0 ? "Enter a whole number." : "Use at most two decimals.")
      case .outOfRange: note(name, "The number is out of range.")
      }
      return nil
    }
  }

  /// Whether one point or comma separates one to three digits from three, so that it may group thousands.
  private static func isAmbiguous(_ text: String) -> Bool {
    let parts = text.utf8.drop { $0 == UInt8(ascii: "-") }
      .split(omittingEmptySubsequences: false) {
        [UInt8(ascii: "."), UInt8(ascii: ",")].contains($0)
      }
    return parts.count == 2 && 1...3 ~= parts[0].count && parts[1].count == 3
      && parts.allSatisfy { $0.allSatisfy { 0x30...0x39 ~= $0 } }
  }

  /// Replaces a decimal comma by a point and removes points between thousands.
  private static func withDecimalPoint(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return text }
    let groups = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }) else { return text }
    return groups.joined() + "." + parts[1]
  }

  /// Removes commas between thousands. Keeps other commas, which may be decimal.
  private static func ungrouped(_ text: String) -> String {
    func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let first = groups.first, let last = groups.last, groups.count > 1,
      groups.dropLast().allSatisfy(isNumber), 1...3 ~= first.utf8.count,
      groups.dropFirst().dropLast().allSatisfy({ $0.utf8.count == 3 }),
      last.prefix(while: { $0 != "." }).utf8.count == 3
    else { return text }
    return groups.joined()
  }

  private mutating func note(_ column: String, _ detail: String) {
    faults.append(FieldError(line: line, .column(column), detail))
  }

  private static func field(_ tags: [String]) -> ItemPatch.Field<[String]> {
    tags.isEmpty ? .clear : .set(tags)
  }
}

extension ItemPatch.Field {
  fileprivate func map<Other>(_ body: (Value) -> Other) -> ItemPatch.Field<Other> {
    switch self {
    case .clear: .clear
    case .set(let value): .set(body(value))
    }
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
      return Result(fields: isChanged ? CustomFields(object) : present, count: object.count)
    }
  }
}
