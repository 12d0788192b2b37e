import FoundationEssentials
import Inventory
import JSON

/// One line of a table on its way to a patch of an item.
struct ItemTableLine {
  let line: Int
  /// Whether cells are written as this server writes them.
  let isOwn: Bool
  /// The custom field by which another product names the item.
  private let referenceField: String?
  private let hasDecimalCommas: Bool
  /// Of JSON in a cell.
  private let maximumDepth: Int
  private var reference: ItemReference?
  private(set) var faults: [LineFault] = []
  private var id: ItemID?
  private var patch = ItemPatch()
  private var fields: JSONObject?
  private var description = ""
  private var otherNames: [String] = []
  private var rooms: [String] = []

  init(
    line: Int, isOwn: Bool, reference: String?, hasDecimalCommas: Bool, maximumDepth: Int
  ) {
    referenceField = reference
    self.hasDecimalCommas = hasDecimalCommas
    self.line = line
    self.isOwn = isOwn
    self.maximumDepth = maximumDepth
  }

  mutating func take(_ cell: String, _ column: ItemColumn, name: String) {
    // Homebox and Snipe-IT guard what begins like a formula as this server does.
    let plain = FormulaGuard.unguarded(cell, isOwn: isOwn)
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
      if fields == nil { fields = JSONObject() }
      if !plain.isEmpty {
        fields?.set(field, to: .string(plain))
        if field == referenceField { reference = ItemReference(field: field, value: plain) }
      }
    case .otherName:
      if !plain.trimmed.isEmpty { otherNames.append(plain) }
      if fields == nil { fields = JSONObject() }
      if !plain.isEmpty { fields?.set(name, to: .string(plain)) }
    case .description: description = plain
    case .rooms: takeRooms(plain, name)
    case .unnamed: if !cell.isEmpty { note(name, "The first line does not name this column.") }
    }
  }

  /// What the line does; what is wrong with it is left out.
  mutating func upsert() -> ItemUpsert {
    if let fields {
      if fields.count > Limits.fieldCount {
        faults.append(
          LineFault(line, .column("fields"), "At most \(Limits.fieldCount) custom fields."))
      }
      patch.fields = fields.isEmpty ? .clear : .set(CustomFields(fields))
    }
    if !description.isEmpty {
      let notes = if case .set(let notes)? = patch.notes { "\n\n" + notes } else { "" }
      patch.notes = .set(description + notes)
    }
    if case .set? = patch.name {} else if let other = otherNames.first { patch.name = .set(other) }
    return ItemUpsert(
      line: line, id: id, newID: ItemID(.version7()), patch: patch, reference: reference,
      rooms: rooms)
  }

  /// Homebox reads "Home / Office / Desk": https://hay-kot.github.io/homebox/import-csv/
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
    if id == nil { note(name, "An id: a UUID of 36 characters.") }
  }

  private mutating func takeKind(_ cell: String, _ name: String) {
    guard !cell.trimmed.isEmpty else { return }
    patch.kind = ItemKind(rawValue: cell.trimmed.lowercased())
    if patch.kind == nil { note(name, "thing or car.") }
  }

  private mutating func takeFields(_ cell: String, _ name: String) {
    var object = JSONObject()
    if !cell.trimmed.isEmpty {
      let text = FormulaGuard.unguarded(cell, isOwn: isOwn)
      let value = try? JSONReader.parse(Array(text.utf8), maximumDepth: maximumDepth)
      guard case .object(let given)? = value else {
        note(name, "A JSON object.")
        return
      }
      object = given
    }
    for (key, value) in fields?.members ?? [] { object.set(key, to: value) }
    fields = object
  }

  /// A number × 10^places; nil, and noted, for what is none.
  private mutating func number(
    _ cell: String, places: Int, _ name: String
  ) -> ItemPatch.Field<Int64>? {
    var text = cell.trimmed
    guard !text.isEmpty else { return .clear }
    if hasDecimalCommas { text = Self.withDecimalPoint(text) }
    if !isOwn { text = Self.ungrouped(text) }
    guard let number = JSONNumber(text: text) else {
      note(name, places == 0 ? "A whole number." : "A number such as 12.5.")
      return nil
    }
    do throws(JSONNumber.ScalingError) {
      return .set(try number.exactly(places: places))
    } catch {
      switch error {
      case .tooManyPlaces: note(name, places == 0 ? "A whole number." : "At most two decimals.")
      case .outOfRange: note(name, "The number is out of range.")
      }
      return nil
    }
  }

  /// With a point in place of one comma before decimals, and without points between thousands before it.
  private static func withDecimalPoint(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return text }
    let groups = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }) else { return text }
    return groups.joined() + "." + parts[1]
  }

  /// Without the commas between thousands; one that stands elsewhere, which may be a decimal's, stays.
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
    faults.append(LineFault(line, .column(column), detail))
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
