import Inventory

/// The fields of lists and items with their names and values in the log.
extension ListDetails {
  var logged: [(StaticString, ChangeLog.Edit.Value)] {
    [
      ("title", .text(title)), ("itemKind", .text(itemKind.rawValue)),
      ("permissions", .integer(Int64(permissions.rawValue))),
      ("sentinel.text", .init(sentinel.text)),
      ("sentinel.visible", .integer(sentinel.isVisible ? 1 : 0)),
      ("deleteLabel", .init(deleteLabel)),
    ]
  }

  /// Whether the log has a field of that name for lists. Items have no field of the same name.
  static func logs(_ field: String) -> Bool {
    ListDetails(title: "").logged.contains { "\($0.0)" == field }
  }

  /// Sets a field by its name in the log. Returns false for an unknown name or value.
  mutating func set(_ field: String, _ value: ChangeLog.Edit.Value) -> Bool {
    switch (field, value) {
    case ("title", .text(let text)): title = text
    case ("itemKind", .text(let text)):
      guard let kind = AcceptedKind(rawValue: text) else { return false }
      itemKind = kind
    case ("permissions", .integer(let bits)):
      permissions = Permissions(rawValue: UInt8(truncatingIfNeeded: bits))
    case ("sentinel.text", _): sentinel.text = value.text
    case ("sentinel.visible", .integer(let flag)): sentinel.isVisible = flag != 0
    case ("deleteLabel", _): deleteLabel = value.text
    default: return false
    }
    return true
  }
}

extension ItemDetails {
  var logged: [(StaticString, ChangeLog.Edit.Value)] {
    let columns = ItemBindings(self)
    return [
      ("name", .init(name)), ("serialNumber", .init(serialNumber)),
      ("valueInDollars", .init(value?.amount)), ("quantity", .integer(quantity)),
      ("notes", .init(notes)), ("tags", .init(columns.tags)), ("fields", .text(fields.json)),
      ("car.make", .init(columns.car?.make)), ("car.model", .init(columns.car?.model)),
      ("car.year", .init(columns.car?.year.map(Int64.init))),
      ("car.fuelAmount", .init(columns.car?.fuelAmount)),
    ]
  }

  /// Sets a field by its name in the log. Returns false for an unknown name or value.
  mutating func set(_ field: String, _ value: ChangeLog.Edit.Value) -> Bool {
    switch (field, value) {
    case ("name", _): name = value.text
    case ("serialNumber", _): serialNumber = value.text
    case ("valueInDollars", _): self.value = value.integer.map { Cents($0) }
    case ("quantity", .integer(let number)): quantity = number
    case ("notes", _): notes = value.text
    case ("tags", _):
      let lines = value.text?.utf8.split(separator: UInt8(ascii: "\n")) ?? []
      tags = lines.map { String(Substring($0)) }
    case ("fields", .text(let json)): fields = CustomFields(json: json)
    case ("car.make", _): return setCar { $0.make = value.text }
    case ("car.model", _): return setCar { $0.model = value.text }
    case ("car.year", _): return setCar { $0.year = value.integer.map { Int($0) } }
    case ("car.fuelAmount", _): return setCar { $0.fuelAmount = value.integer }
    default: return false
    }
    return true
  }

  private mutating func setCar(_ body: (inout Car) -> Void) -> Bool {
    guard case .car(var car) = subject else { return false }
    body(&car)
    subject = .car(car)
    return true
  }
}

extension ChangeLog.Edit.Value {
  init(_ text: String?) { self = text.map(Self.text) ?? .null }
  init(_ number: Int64?) { self = number.map(Self.integer) ?? .null }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}

extension ChangeLog.Edit {
  /// The fields whose values differ between two readings.
  static func between(
    _ old: [(StaticString, Value)], _ new: [(StaticString, Value)], of row: RowID
  ) -> [Self] {
    zip(old, new).compactMap { old, new in
      old.1 == new.1 ? nil : Self(row: row, field: old.0, before: old.1, after: new.1)
    }
  }
}
